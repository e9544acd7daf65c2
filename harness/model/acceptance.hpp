#pragma once
#include <cstdint>

namespace mskb {

// What an output must satisfy against the FP64 oracle.
enum class AcceptKind : std::uint32_t {
  exact,        // equal to the oracle's value rounded to the output type (-0 equals +0)
  order,        // ascending, and the same multiset as the argument's contents on entry
  elementwise,  // |got - want| <= rel * |want| + mag * magnitude, magnitude = sum of |terms|
  normwise,     // ||got - want||_2 <= l2 * ||want||_2 and max |got - want| <= peak * RMS(want), over the checked elements
};

struct Acceptance {
  AcceptKind kind = AcceptKind::exact;
  std::uint32_t reserved = 0;
  double rel = 0, mag = 0;  // elementwise
  double l2 = 0, peak = 0;  // normwise
};

// The published rule: the candidate's output against the reference's output on the same contents, both widened to float.
enum class PaperRuleKind : std::uint32_t {
  none,
  absolute,  // pass if |a - b| < bound for every element
  relative,  // equal passes; if one side is zero |a - b| < bound; else |a - b| / max(|a|, |b|) < bound
};

struct PaperRule {
  PaperRuleKind kind = PaperRuleKind::none;
  std::uint32_t reserved = 0;
  double bound = 0;
  double share = 0;  // a violation count below share * (elements of one output), counted over all outputs, still passes; 0: none may fail
};

}  // namespace mskb
