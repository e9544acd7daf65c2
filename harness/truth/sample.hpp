#pragma once
#include <cstdint>

#include "base/host_device.hpp"
#include "base/philox.hpp"

// Which elements of an output are checked when not all are: one at an unpredictable place in each of `strata` equal
// pieces, so that no longer run of elements goes unseen; the borders, where kernels are wrong; and places for suspects
// that a look at the whole output adds.
namespace mskb::truth {

inline constexpr std::uint64_t border_elements = 256;
inline constexpr std::uint32_t most_suspects = 1024;

struct Sample {
  std::uint64_t n, strata, key;  // strata <= n < 2^32

  MSKB_FN std::uint64_t count() const { return strata + border_elements + most_suspects; }
};

// Border k of border_elements: the first and last 64, and the neighbours of powers of two and of sixteenths of n.
MSKB_FN std::uint64_t border_index(std::uint64_t k, std::uint64_t n) {
  std::uint64_t i = 0;
  if (k < 64) {
    i = k;
  } else if (k < 128) {
    i = n - 1 - (k - 64 < n ? k - 64 : n - 1);
  } else if (k < 128 + 96) {
    i = (std::uint64_t{1} << ((k - 128) / 3)) + (k - 128) % 3 - 1;
  } else {
    i = n * ((k - 224) / 2) / 16 - (k % 2 == 0 && k > 225 ? 1 : 0);
  }
  return i < n ? i : n - 1;
}

MSKB_FN std::uint64_t sample_index(const Sample& sample, std::uint64_t k) {
  if (k >= sample.strata && k < sample.strata + border_elements) {
    return border_index(k - sample.strata, sample.n);
  }
  const std::uint64_t word = philox_word(sample.key, k);
  if (k >= sample.strata) {
    return (word * sample.n) >> 32;
  }
  const std::uint64_t begin = k * sample.n / sample.strata, end = (k + 1) * sample.n / sample.strata;
  return begin + ((word * (end - begin)) >> 32);
}

}  // namespace mskb::truth
