#pragma once
#include <cstdint>

#include "base/host_device.hpp"

namespace mskb {

// Philox4x32-10 (Salmon et al., SC 2011): four 32-bit words that depend only on (key, counter), in integer arithmetic, so the same bits
// on every machine and device.
struct PhiloxWords {
  std::uint32_t word[4];
};

MSKB_FN PhiloxWords philox(std::uint64_t key, std::uint64_t counter) {
  std::uint32_t c0 = static_cast<std::uint32_t>(counter), c1 = static_cast<std::uint32_t>(counter >> 32), c2 = 0, c3 = 0;
  std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0;
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c2;
    const std::uint32_t n0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    const std::uint32_t n2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c1 = static_cast<std::uint32_t>(p1);
    c3 = static_cast<std::uint32_t>(p0);
    c0 = n0;
    c2 = n2;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return PhiloxWords{{c0, c1, c2, c3}};
}

// The word of element i: counter i / 4, word i % 4.
MSKB_FN std::uint32_t philox_word(std::uint64_t key, std::uint64_t i) { return philox(key, i >> 2).word[i & 3]; }

}  // namespace mskb
