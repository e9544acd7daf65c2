#pragma once
#include <cmath>
#include <cstdint>

#include "base/philox.hpp"
#include "inputs/element.hpp"
#include "keeper/elements.hpp"
#include "keeper/tally.hpp"
#include "model/acceptance.hpp"
#include "truth/compare.hpp"
#include "truth/poison.hpp"
#include "truth/sample.hpp"

// Passes over one buffer, one definition for host and device: operator()(i) for each i, or operator()(i, tally) where
// something is counted. `i` numbers quads of elements where the comment says so, else elements.
namespace mskb::keeper {

MSKB_FN std::uint64_t quads(std::uint64_t n) { return (n + 3) / 4; }

// Quads.
struct WriteFill {
  Fill fill;
  std::uint64_t n, key;
  ElementType type;
  void* to;
  MSKB_FN void operator()(std::uint64_t quad) const {
    const FillQuad made = fill_quad(fill, quad, n, key, type);
    store_quad(to, quad, n, type, Words{{made.bits[0], made.bits[1], made.bits[2], made.bits[3]}});
  }
};

// Quads.
struct WritePoison {
  wire::Poison poison;
  std::uint64_t n, key;
  ElementType type;
  void* to;
  MSKB_FN void operator()(std::uint64_t quad) const {
    const PhiloxWords words = philox(key, quad);
    Words bits;
    for (int k = 0; k < 4; ++k) {
      bits.word[k] = truth::poison_bits(poison, words.word[k], type);
    }
    store_quad(to, quad, n, type, bits);
  }
};

// Quads: elements whose bits differ.
struct CountChanged {
  const void* got;
  const void* pristine;
  std::uint64_t n;
  ElementType type;
  MSKB_FN void operator()(std::uint64_t quad, Tally& tally) const {
    const Words a = load_quad(got, quad, n, type), b = load_quad(pristine, quad, n, type);
    for (int k = 0; k < 4; ++k) {
      if (a.word[k] != b.word[k]) {
        tally.add(4 * quad + static_cast<std::uint64_t>(k));
      }
    }
  }
};

// A hash of a place and the bits there (the finalizer of SplitMix64); summed over a buffer it is the fingerprint of its
// bits.
MSKB_FN std::uint64_t place_hash(std::uint64_t i, std::uint32_t bits) {
  std::uint64_t z = ((i << 32) | bits) + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Quads: the fingerprint of a buffer's bits.
struct Fingerprint {
  const void* from;
  std::uint64_t n;
  ElementType type;
  MSKB_FN void operator()(std::uint64_t quad, Tally& tally) const {
    const Words bits = load_quad(from, quad, n, type);
    for (int k = 0; k < 4; ++k) {
      const std::uint64_t i = 4 * quad + static_cast<std::uint64_t>(k);
      tally.sum += i < n ? place_hash(i, bits.word[k]) : 0;
    }
  }
};

// Quads: fingerprint, NaN and infinity of an output; the first elements that are not finite or still poison are added
// to the sample.
struct Survey {
  const void* got;
  std::uint64_t n;
  ElementType type;
  wire::Poison poison;
  std::uint64_t poison_key;
  std::uint64_t* sample;  // truth::most_suspects places; null: nothing is added
  std::uint32_t* suspects;
  MSKB_FN void operator()(std::uint64_t quad, Tally& tally) const {
    const Words bits = load_quad(got, quad, n, type);
    const PhiloxWords words = philox(poison_key, quad);
    for (int k = 0; k < 4; ++k) {
      const std::uint64_t i = 4 * quad + static_cast<std::uint64_t>(k);
      if (i >= n) {
        return;
      }
      tally.sum += place_hash(i, bits.word[k]);
      const bool finite = truth::is_finite(truth::decode_bits(bits.word[k], type));
      if (!finite) {
        tally.add(i);
      }
      if ((!finite || bits.word[k] == truth::poison_bits(poison, words.word[k], type)) && sample != nullptr) {
        note(i);
      }
    }
  }

 private:
  MSKB_FN void note(std::uint64_t i) const {
#ifdef __CUDA_ARCH__
    if (*static_cast<volatile std::uint32_t*>(suspects) >= truth::most_suspects) {
      return;
    }
    const std::uint32_t slot = atomicAdd(suspects, 1u);
#else
    const std::uint32_t slot = *suspects < truth::most_suspects ? (*suspects)++ : truth::most_suspects;
#endif
    if (slot < truth::most_suspects) {
      sample[slot] = i;
    }
  }
};

// Elements of a sample.
struct WriteSample {
  truth::Sample sample;
  std::uint64_t* to;
  MSKB_FN void operator()(std::uint64_t k) const { to[k] = truth::sample_index(sample, k); }
};

// Elements begin, begin + 1, ...
struct WriteRange {
  std::uint64_t begin;
  std::uint64_t* to;
  MSKB_FN void operator()(std::uint64_t k) const { to[k] = begin + k; }
};

// -0 counts as +0.
MSKB_FN std::uint32_t without_negative_zero(std::uint32_t bits, ElementType type) {
  const std::uint32_t negative_zero = type == ElementType::bf16 ? 0x8000u : 0x80000000u;
  return type != ElementType::i32 && bits == negative_zero ? 0 : bits;
}

// Elements: the keyed fingerprint of a buffer as a multiset.
struct Multiset {
  const void* from;
  std::uint64_t key;
  ElementType type;
  MSKB_FN void operator()(std::uint64_t i, Tally& tally) const {
    const PhiloxWords words = philox(key, without_negative_zero(truth::load_bits(from, i, type), type));
    tally.sum += (std::uint64_t{words.word[0]} << 32) | words.word[1];
  }
};

// Elements: the same, and places where an element is below the one before it, or NaN.
struct Descents {
  Multiset multiset;
  MSKB_FN void operator()(std::uint64_t i, Tally& tally) const {
    multiset(i, tally);
    const double here = truth::decode_bits(truth::load_bits(multiset.from, i, multiset.type), multiset.type);
    const double before =
        i == 0 ? here : truth::decode_bits(truth::load_bits(multiset.from, i - 1, multiset.type), multiset.type);
    if (!(before <= here)) {
      tally.add(i);
    }
  }
};

// Elements that the published rule refuses. A NaN on either side is refused.
struct PaperViolations {
  const void* got;
  const void* reference;
  ElementType type;
  PaperRule rule;
  MSKB_FN void operator()(std::uint64_t i, Tally& tally) const {
    const double a = truth::decode_bits(truth::load_bits(got, i, type), type);
    const double b = truth::decode_bits(truth::load_bits(reference, i, type), type);
    const double error = std::fabs(a - b);
    bool accepted = error < rule.bound;
    if (rule.kind == PaperRuleKind::relative) {
      const double larger = std::fmax(std::fabs(a), std::fabs(b));
      accepted = a == b || (a == 0 || b == 0 ? error < rule.bound : error / larger < rule.bound);
    }
    if (!accepted) {
      tally.add(i);
    }
  }
};

// Elements at + k of an output become want[k] rounded to its type. Place p is written at (p + rotate) mod n, and only
// below `limit`.
struct WriteValues {
  const double* want;
  std::uint64_t at, n, rotate, limit;
  ElementType type;
  void* to;
  MSKB_FN void operator()(std::uint64_t k) const {
    const std::uint64_t place = (at + k + rotate) % n;
    if (place < limit) {
      truth::store_bits(to, place, truth::encode_bits(want[k], type), type);
    }
  }
};

// Elements at + k that differ from want[k] rounded to the type (-0 is +0).
struct CountDifferent {
  const double* want;
  std::uint64_t at;
  ElementType type;
  const void* got;
  MSKB_FN void operator()(std::uint64_t k, Tally& tally) const {
    const double held = truth::decode_bits(truth::load_bits(got, at + k, type), type);
    if (!truth::equals_rounded(held, want[k], type)) {
      tally.add(at + k);
    }
  }
};

// Elements at + k of a buffer as doubles.
struct ReadValues {
  const void* from;
  std::uint64_t at;
  ElementType type;
  double* to;
  MSKB_FN void operator()(std::uint64_t k) const {
    to[k] = truth::decode_bits(truth::load_bits(from, at + k, type), type);
  }
};

// Elements of an FP32 buffer, rounded to a shorter format in place.
struct RoundElements {
  truth::InputRounding rounding;
  float* data;
  MSKB_FN void operator()(std::uint64_t i) const {
    data[i] =
        rounding == truth::InputRounding::bf16 ? float_from_bf16(bf16_from_float(data[i])) : tf32_from_float(data[i]);
  }
};

// What a spread is made of: sums of the distance from an origin and of its square, and the range. fmin and fmax leave out
// NaN, which the sums keep.
struct Moments {
  double sum, squares, smallest, largest;

  MSKB_FN void merge(const Moments& other) {
    sum += other.sum;
    squares += other.squares;
    smallest = std::fmin(smallest, other.smallest);
    largest = std::fmax(largest, other.largest);
  }
};
MSKB_FN Moments no_moments() { return {0, 0, HUGE_VAL, -HUGE_VAL}; }

// Parts: part p adds every parts-th value from p on.
struct AddMoments {
  const double* want;
  std::uint64_t count, parts;
  double origin;
  Moments* to;
  MSKB_FN void operator()(std::uint64_t p) const {
    Moments moments = no_moments();
    for (std::uint64_t k = p; k < count; k += parts) {
      const double distance = want[k] - origin;
      moments.merge({distance, distance * distance, want[k], want[k]});
    }
    to[p] = moments;
  }
};

// 16-byte chunks: the keeper's own memory is written and read, so that the L2 cache holds nothing else.
struct SweepWrite {
  void* memory;
  std::uint32_t value;
  MSKB_FN void operator()(std::uint64_t i) const {
    store_aligned(static_cast<std::byte*>(memory) + 16 * i,
                  Words{{value, value, value, static_cast<std::uint32_t>(i)}});
  }
};
struct SweepRead {
  const void* memory;
  MSKB_FN void operator()(std::uint64_t i, Tally& tally) const {
    tally.sum += load_aligned<Words>(static_cast<const std::byte*>(memory) + 16 * i).word[3];
  }
};

}  // namespace mskb::keeper
