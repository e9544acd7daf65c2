#pragma once
#include <cstdint>

#include "base/host_device.hpp"
#include "wire/keeper_messages.hpp"

namespace mskb::keeper {

// What a pass over memory finds. All zero at first; merging is exact and in any order.
struct Tally {
  std::uint64_t count;           // findings
  std::uint64_t sum;             // of hashes, modulo 2^64
  std::uint64_t inverted_first;  // ~(lowest place of a finding); 0: none

  MSKB_FN void add(std::uint64_t place) {
    ++count;
    inverted_first = ~place > inverted_first ? ~place : inverted_first;
  }
  MSKB_FN void merge(const Tally& other) {
    count += other.count;
    sum += other.sum;
    inverted_first = other.inverted_first > inverted_first ? other.inverted_first : inverted_first;
  }
  MSKB_FN std::uint64_t first() const { return ~inverted_first; }
};

// All that one check brings back, by argument where it is an array. Lies in the device's memory; the host reads a copy.
struct Results {
  Tally guards, beyond;                 // inside the case's range; behind it, to the arena's end
  Tally changed[wire::max_arguments];   // inputs: elements that differ from the pristine contents
  Tally survey[wire::max_arguments];    // outputs: count NaN and infinity, sum the fingerprint of the bits
  Tally order[wire::max_arguments];     // outputs to be sorted: descents; sum the multiset's fingerprint
  Tally contents[wire::max_arguments];  // sum: fingerprints of pristine contents
  Tally paper[wire::max_arguments];     // elements that the published rule refuses
  Tally probe;
  std::uint32_t suspects[wire::max_arguments];  // elements that are not finite or still poison
  wire::OutputFindings truth[wire::max_arguments];
};

}  // namespace mskb::keeper
