#pragma once
#include <cstdint>
#include <cstring>

#include "base/host_device.hpp"
#include "model/element_type.hpp"

// Moving four elements or 16 bytes at once; buffers are 256-byte aligned. On the device these are single vector
// accesses.
namespace mskb::keeper {

struct alignas(16) Words {
  std::uint32_t word[4];
};
struct alignas(8) Halves {
  std::uint16_t half[4];
};

template <class T>
MSKB_FN T load_aligned(const void* from) {
#ifdef __CUDA_ARCH__
  return *static_cast<const T*>(from);
#else
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
#endif
}

template <class T>
MSKB_FN void store_aligned(void* to, const T& value) {
#ifdef __CUDA_ARCH__
  *static_cast<T*>(to) = value;
#else
  std::memcpy(to, &value, sizeof value);
#endif
}

// Elements 4 * quad .. 4 * quad + 3 of n; those from n on are neither read (their bits are 0) nor written.
MSKB_FN Words load_quad(const void* buffer, std::uint64_t quad, std::uint64_t n, ElementType type) {
  Words bits{};
  if (type == ElementType::bf16) {
    const std::uint16_t* from = static_cast<const std::uint16_t*>(buffer) + 4 * quad;
    if (4 * quad + 4 <= n) {
      const Halves halves = load_aligned<Halves>(from);
      for (int k = 0; k < 4; ++k) {
        bits.word[k] = halves.half[k];
      }
    } else {
      for (int k = 0; k < 4 && 4 * quad + static_cast<std::uint64_t>(k) < n; ++k) {
        bits.word[k] = from[k];
      }
    }
    return bits;
  }
  const std::uint32_t* from = static_cast<const std::uint32_t*>(buffer) + 4 * quad;
  if (4 * quad + 4 <= n) {
    return load_aligned<Words>(from);
  }
  for (int k = 0; k < 4 && 4 * quad + static_cast<std::uint64_t>(k) < n; ++k) {
    bits.word[k] = from[k];
  }
  return bits;
}

MSKB_FN void store_quad(void* buffer, std::uint64_t quad, std::uint64_t n, ElementType type, const Words& bits) {
  if (type == ElementType::bf16) {
    std::uint16_t* to = static_cast<std::uint16_t*>(buffer) + 4 * quad;
    Halves halves;
    for (int k = 0; k < 4; ++k) {
      halves.half[k] = static_cast<std::uint16_t>(bits.word[k]);
    }
    if (4 * quad + 4 <= n) {
      store_aligned(to, halves);
    } else {
      for (int k = 0; k < 4 && 4 * quad + static_cast<std::uint64_t>(k) < n; ++k) {
        to[k] = halves.half[k];
      }
    }
    return;
  }
  std::uint32_t* to = static_cast<std::uint32_t*>(buffer) + 4 * quad;
  if (4 * quad + 4 <= n) {
    store_aligned(to, bits);
    return;
  }
  for (int k = 0; k < 4 && 4 * quad + static_cast<std::uint64_t>(k) < n; ++k) {
    to[k] = bits.word[k];
  }
}

}  // namespace mskb::keeper
