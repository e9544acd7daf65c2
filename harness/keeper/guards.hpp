#pragma once
#include <cstddef>
#include <cstdint>

#include "base/philox.hpp"
#include "keeper/elements.hpp"
#include "keeper/tally.hpp"
#include "wire/case_spec.hpp"

namespace mskb::keeper {

// The bytes of an arena that belong to no buffer, as segments [begin, end). They hold a keyed pattern that depends on
// the place alone.
struct Guards {
  static constexpr int most = wire::max_arguments + 1;
  std::byte* arena;
  std::uint64_t key;
  int count;
  std::uint64_t begin[most], end[most];
  std::uint64_t first_chunk[most + 1];  // running number of 16-byte chunks

  void add(std::uint64_t from, std::uint64_t to) {
    if (from < to) {
      begin[count] = from;
      end[count] = to;
      first_chunk[count + 1] = first_chunk[count] + (to + 15) / 16 - from / 16;
      ++count;
    }
  }
  std::uint64_t chunks() const { return first_chunk[count]; }
};

// A chunk of the guards: its place in the arena and the part [low, high) of its 16 bytes that is guard.
struct GuardChunk {
  std::uint64_t offset;
  int low, high;
  Words pattern;
};

MSKB_FN GuardChunk guard_chunk(const Guards& guards, std::uint64_t i) {
  int segment = 0;
  while (i >= guards.first_chunk[segment + 1]) {
    ++segment;
  }
  const std::uint64_t begin = guards.begin[segment], end = guards.end[segment];
  const std::uint64_t number = begin / 16 + (i - guards.first_chunk[segment]);
  GuardChunk chunk;
  chunk.offset = number * 16;
  chunk.low = begin > chunk.offset ? static_cast<int>(begin - chunk.offset) : 0;
  chunk.high = end < chunk.offset + 16 ? static_cast<int>(end - chunk.offset) : 16;
  const PhiloxWords words = philox(guards.key, number);
  for (int k = 0; k < 4; ++k) {
    chunk.pattern.word[k] = words.word[k];
  }
  return chunk;
}

MSKB_FN unsigned char pattern_byte(const Words& pattern, int k) {
  return static_cast<unsigned char>(pattern.word[k / 4] >> (8 * (k % 4)));
}

struct WriteGuards {
  Guards guards;
  MSKB_FN void operator()(std::uint64_t i) const {
    const GuardChunk chunk = guard_chunk(guards, i);
    std::byte* to = guards.arena + chunk.offset;
    if (chunk.low == 0 && chunk.high == 16) {
      store_aligned(to, chunk.pattern);
      return;
    }
    for (int k = chunk.low; k < chunk.high; ++k) {
      to[k] = static_cast<std::byte>(pattern_byte(chunk.pattern, k));
    }
  }
};

// Counts changed guard bytes; `first` is the lowest changed offset.
struct CheckGuards {
  Guards guards;
  MSKB_FN void operator()(std::uint64_t i, Tally& tally) const {
    const GuardChunk chunk = guard_chunk(guards, i);
    const std::byte* from = guards.arena + chunk.offset;
    if (chunk.low == 0 && chunk.high == 16) {
      const Words held = load_aligned<Words>(from);
      if (((held.word[0] ^ chunk.pattern.word[0]) | (held.word[1] ^ chunk.pattern.word[1]) |
           (held.word[2] ^ chunk.pattern.word[2]) | (held.word[3] ^ chunk.pattern.word[3])) == 0) {
        return;
      }
    }
    for (int k = chunk.low; k < chunk.high; ++k) {
      if (static_cast<unsigned char>(from[k]) != pattern_byte(chunk.pattern, k)) {
        tally.add(chunk.offset + static_cast<std::uint64_t>(k));
      }
    }
  }
};

}  // namespace mskb::keeper
