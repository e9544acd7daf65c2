#pragma once
#include <cmath>
#include <cstdint>

#include "base/bf16.hpp"
#include "base/host_device.hpp"
#include "mskb/oracle.hpp"
#include "truth/module.hpp"
#include "truth/poison.hpp"

// When is an element of an output accepted? One definition for host and device.
//   * equal to the wanted value rounded to the output's type (-0 equals +0, infinities with their sign), or NaN where
//   NaN is wanted: accepted;
//   * any other NaN or infinity on either side: refused;
//   * else accepted only if |got - want| <= bound, so that no comparison with a NaN can accept.
// Bounds of `elementwise` have the smallest normal float as a floor: flushing subnormal results to zero is allowed.
namespace mskb::truth {

inline constexpr double smallest_normal = 1.1754943508222875e-38;  // 2^-126
inline constexpr double no_finite_ratio = 1e30;  // worst_ratio where the bound is zero or the error is not finite

// An element's bits: 16 for BF16.
MSKB_FN std::uint32_t load_bits(const void* buffer, std::uint64_t i, ElementType type) {
  return type == ElementType::bf16 ? static_cast<const std::uint16_t*>(buffer)[i]
                                   : static_cast<const std::uint32_t*>(buffer)[i];
}

MSKB_FN void store_bits(void* buffer, std::uint64_t i, std::uint32_t bits, ElementType type) {
  if (type == ElementType::bf16) {
    static_cast<std::uint16_t*>(buffer)[i] = static_cast<std::uint16_t>(bits);
  } else {
    static_cast<std::uint32_t*>(buffer)[i] = bits;
  }
}

MSKB_FN double decode_bits(std::uint32_t bits, ElementType type) {
  switch (type) {
    case ElementType::bf16: return static_cast<double>(float_from_bf16(static_cast<std::uint16_t>(bits)));
    case ElementType::i32: return static_cast<double>(static_cast<std::int32_t>(bits));
    default: return static_cast<double>(float_from_bits(bits));
  }
}

// The element nearest to `value`: BF16 by way of float, integers nearest with ties to even, cut to their range.
MSKB_FN std::uint32_t encode_bits(double value, ElementType type) {
  if (type == ElementType::i32) {
    const double nearest = rint(value);
    if (!(nearest > -2147483648.0)) {
      return 0x80000000u;
    }
    return nearest >= 2147483647.0 ? 0x7fffffffu : static_cast<std::uint32_t>(static_cast<std::int32_t>(nearest));
  }
  const float single = static_cast<float>(value);
  return type == ElementType::bf16 ? bf16_from_float(single) : float_bits(single);
}

MSKB_FN bool is_finite(double value) { return value - value == 0.0; }
MSKB_FN bool is_nan(double value) { return value != value; }

// Whether `got` is the wanted value itself, rounded to the type.
MSKB_FN bool equals_rounded(double got, double want, ElementType type) {
  if (is_nan(want)) {
    return is_nan(got);
  }
  return got == decode_bits(encode_bits(want, type), type);
}

// Largest error that is accepted at one element; normwise has none (-1): it is decided over all of them.
MSKB_FN double element_bound(const Acceptance& accept, Value truth) {
  if (accept.kind == AcceptKind::elementwise) {
    const double bound = accept.rel * std::fabs(truth.want) + accept.mag * truth.magnitude;
    return bound > smallest_normal ? bound : smallest_normal;
  }
  return accept.kind == AcceptKind::normwise ? -1.0 : 0.0;
}

// A running summary of checked elements. merge() is associative up to the rounding of the two sums of squares.
struct OutputTally {
  std::uint64_t checked, refused, not_finite;
  std::uint64_t poison_left;  // still poison, accepted or not (normwise)
  std::uint64_t unwritten;    // still poison and refused at once
  double worst_ratio, squared_error, squared_want;
  double worst_absolute;
  std::int64_t first_refused, worst;  // element indices; -1: none
  double first_got, first_want, worst_got, worst_want;
};

MSKB_FN OutputTally empty_tally() {
  OutputTally tally{};
  tally.first_refused = tally.worst = -1;
  return tally;
}

MSKB_FN void merge(OutputTally& into, const OutputTally& from) {
  into.checked += from.checked;
  into.refused += from.refused;
  into.not_finite += from.not_finite;
  into.poison_left += from.poison_left;
  into.unwritten += from.unwritten;
  into.squared_error += from.squared_error;
  into.squared_want += from.squared_want;
  if (from.worst_ratio > into.worst_ratio) {
    into.worst_ratio = from.worst_ratio;
  }
  if (from.worst >= 0 && (into.worst < 0 || from.worst_absolute > into.worst_absolute ||
                          (from.worst_absolute == into.worst_absolute && from.worst < into.worst))) {
    into.worst_absolute = from.worst_absolute;
    into.worst = from.worst;
    into.worst_got = from.worst_got;
    into.worst_want = from.worst_want;
  }
  if (from.first_refused >= 0 && (into.first_refused < 0 || from.first_refused < into.first_refused)) {
    into.first_refused = from.first_refused;
    into.first_got = from.first_got;
    into.first_want = from.first_want;
  }
}

// Adds element i of an output to the summary.
MSKB_FN void tally_element(OutputTally& tally, const OutputRequest& request, ElementType type, std::uint64_t i,
                           Value truth) {
  const std::uint32_t bits = load_bits(request.got, i, type);
  const double got = decode_bits(bits, type);
  const bool poison = bits == poison_element(request.poison, request.poison_key, i, type);
  const bool equal = equals_rounded(got, truth.want, type);
  const bool finite = is_finite(got) && is_finite(truth.want);
  const double error = finite ? std::fabs(got - truth.want) : 0.0;
  const double bound = element_bound(request.accept, truth);
  ++tally.checked;
  tally.not_finite += is_finite(got) ? 0 : 1;
  tally.poison_left += poison ? 1 : 0;
  if (finite) {
    tally.squared_error += error * error;
    tally.squared_want += truth.want * truth.want;
    if (tally.worst < 0 || error > tally.worst_absolute) {
      tally.worst_absolute = error;
      tally.worst = static_cast<std::int64_t>(i);
      tally.worst_got = got;
      tally.worst_want = truth.want;
    }
  }
  const bool accepted = equal || (finite && (bound < 0 || error <= bound));
  double ratio = 0;
  if (!equal && bound >= 0) {
    ratio = finite && bound > 0 ? error / bound : no_finite_ratio;
  } else if (!accepted) {
    ratio = no_finite_ratio;
  }
  if (!(ratio <= no_finite_ratio)) {
    ratio = no_finite_ratio;
  }
  if (ratio > tally.worst_ratio) {
    tally.worst_ratio = ratio;
  }
  if (!accepted) {
    ++tally.refused;
    tally.unwritten += poison ? 1 : 0;
    if (tally.first_refused < 0 || static_cast<std::int64_t>(i) < tally.first_refused) {
      tally.first_refused = static_cast<std::int64_t>(i);
      tally.first_got = got;
      tally.first_want = truth.want;
    }
  }
}

MSKB_FN double ratio_of(double error, double bound) {
  if (error == 0) {
    return 0;
  }
  const double ratio = error / bound;
  return ratio <= no_finite_ratio ? ratio : no_finite_ratio;
}

// Ends a summary. A normwise output that misses a norm counts as refused at its worst element, and its poison as
// unwritten.
MSKB_FN wire::OutputFindings conclude(const OutputTally& tally, const Acceptance& accept) {
  wire::OutputFindings findings{};
  findings.checked = tally.checked;
  findings.refused = tally.refused;
  findings.unwritten = tally.unwritten;
  findings.not_finite = tally.not_finite;
  findings.worst_ratio = tally.worst_ratio;
  findings.squared_error = tally.squared_error;
  findings.squared_want = tally.squared_want;
  findings.worst_absolute = tally.worst_absolute;
  findings.first_refused = tally.first_refused;
  findings.got = tally.first_got;
  findings.want = tally.first_want;
  if (accept.kind != AcceptKind::normwise || tally.checked == 0) {
    return findings;
  }
  const double l2 = ratio_of(sqrt(tally.squared_error), accept.l2 * sqrt(tally.squared_want));
  const double peak =
      ratio_of(tally.worst_absolute, accept.peak * sqrt(tally.squared_want / static_cast<double>(tally.checked)));
  const double norm = l2 > peak ? l2 : peak;
  findings.worst_ratio = norm > findings.worst_ratio ? norm : findings.worst_ratio;
  if (!(norm <= 1)) {
    findings.refused += 1;
    findings.unwritten = tally.poison_left;
    if (findings.first_refused < 0) {
      findings.first_refused = tally.worst;
      findings.got = tally.worst_got;
      findings.want = tally.worst_want;
    }
  } else if (findings.refused > 0) {
    findings.unwritten = tally.poison_left;
  }
  return findings;
}

}  // namespace mskb::truth
