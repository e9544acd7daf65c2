#pragma once
#include <array>
#include <cstdint>
#include <utility>

#include "base/philox.hpp"
#include "model/element_type.hpp"
#include "wire/case_spec.hpp"

// Where a case's buffers lie in a worker's arena: in random order, at random 256-byte aligned places, at least
// guard_bytes between two buffers and before the first and after the last. Which order and places follows from the
// layout key alone.
namespace mskb::wire {

inline constexpr std::uint64_t buffer_alignment = 256;
inline constexpr std::uint64_t guard_bytes = 4096;
inline constexpr std::uint64_t largest_shift = 64 * buffer_alignment;  // added to a guard, at random

inline std::uint64_t buffer_bytes(const ArgumentSpec& argument) {
  return argument.elements * element_bytes(argument.type);
}

inline std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

// Bytes that an arena must have for this case, whatever the key.
inline std::uint64_t arena_bytes(const CaseSpec& spec) {
  std::uint64_t bytes = guard_bytes + largest_shift;
  for (std::uint32_t k = 0; k < spec.argument_count; ++k) {
    if (spec.arguments[k].is_buffer()) {
      bytes += aligned(buffer_bytes(spec.arguments[k])) + guard_bytes + largest_shift;
    }
  }
  return bytes;
}

struct Layout {
  std::uint64_t offsets[max_arguments];  // by argument; buffers only, others 0
  std::array<int, max_arguments> order;  // the buffers' arguments by rising offset
  int buffers;
  std::uint64_t used;  // arena_bytes(spec): buffers and guards lie in [0, used)
};

inline Layout make_layout(const CaseSpec& spec, std::uint64_t layout_key) {
  Layout layout{};
  layout.used = arena_bytes(spec);
  for (std::uint32_t k = 0; k < spec.argument_count; ++k) {
    if (spec.arguments[k].is_buffer()) {
      layout.order[static_cast<std::size_t>(layout.buffers++)] = static_cast<int>(k);
    }
  }
  for (int k = layout.buffers - 1; k > 0; --k) {
    const auto other = philox_word(layout_key, static_cast<std::uint64_t>(k)) % static_cast<std::uint32_t>(k + 1);
    std::swap(layout.order[static_cast<std::size_t>(k)], layout.order[other]);
  }
  std::uint64_t at = 0;
  for (int k = 0; k < layout.buffers; ++k) {
    const int argument = layout.order[static_cast<std::size_t>(k)];
    const std::uint64_t shift =
        philox_word(layout_key, 64 + static_cast<std::uint64_t>(k)) % (largest_shift / buffer_alignment + 1);
    at += guard_bytes + shift * buffer_alignment;
    layout.offsets[argument] = at;
    at += aligned(buffer_bytes(spec.arguments[argument]));
  }
  return layout;
}

}  // namespace mskb::wire
