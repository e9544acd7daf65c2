#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "build/builder.hpp"
#include "evaluate/damage_bench.hpp"
#include "evaluate/evaluator.hpp"

namespace mskb {

// One statement that `mskb check` proved or refuted for a problem.
struct CheckFinding {
  bool holds = false;
  std::string statement;  // "zeros: refused at every case"
  std::string detail;     // where it fails, or why it does not apply
  bool applies = true;
};

// Proves problems' acceptance on one backend with outputs that the keeper itself writes:
//   zeros, a constant, stale, unwritten and half-written outputs are refused at every case of `set`;
//   each damage that can matter is refused at one `check` case at least;
//   honest FP32 summation in three orders is accepted at every case, each where is_honest_order says so;
//   the wanted output is finite and not near constant at every case of `set`; contents repeat bit for bit.
class TaskCheck {
 public:
  TaskCheck(const EvaluatorOptions& options, const Builder& builder);  // throws NoDevice
  std::vector<CheckFinding> check(const Problem& problem, const std::string& set);

 private:
  const RunKey& key_;
  const Builder& builder_;
  KeeperClient keeper_, second_;
  DamageBench bench_;
};

// Whether FP32 sums of that many terms in that order are what an honest kernel may do: no chain of additions one after the other is longer
// than 65,536. Damages that are no order of summation are honest or not whatever the length: true.
bool is_honest_order(wire::Damage order, double terms);

// Why the wanted output is too uniform to be worth checking, or not finite; empty when it is neither.
std::string near_constant(const Case& test_case, const wire::Spread& spread);

// Whether outputs made of other contents are accepted, by accepts(contents): now and then a sum of very many similar terms lies within the
// bound of another, so that only what is accepted with three pairs of contents counts. Nothing where it does not apply.
inline constexpr std::uint64_t contents_to_try = 3;
std::optional<bool> accepts_stale(const std::function<std::optional<bool>(std::uint64_t contents)>& accepts);

}  // namespace mskb
