#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "evaluate/statistics.hpp"
#include "evaluate/verification.hpp"

namespace mskb {

// Of every speedup that this version's `strict` measures.
inline constexpr IntervalRule strict_rule{.looks = 5, .rounds_per_generation = 4};

// Whether a candidate need not take part in more rounds: its interval is within 1 %, or it is the copy that has to be slower and is. The rounds of a case end
// when this holds of everybody, or with the budget.
bool suffices(const SpeedupEstimate& estimate, const std::string& origin);

// A span below three null kernels says more about launching than about the kernel.
bool is_launch_bound(double span_us, double null_kernel_us);

// Speedups by span and by the host's clock that lie more than a tenth apart.
bool stories_differ(double by_span, double by_call);

// Protocol `strict` on the open case (design: steps 2, 3, 4 and 7, one process generation). Every seat whose state passed is timed in turns;
// a seat that fails on the way falls out with its verdict. Writes the timings (index by seat; nothing where there is none) and returns the
// seconds in which a candidate's call was running.
struct StrictResult {
  std::vector<std::optional<Timing>> timings;
  double measuring_s = 0;
};
StrictResult time_in_turns(Bench& bench, std::vector<CaseState>& states, const RunKey& key,
                           std::chrono::duration<double> case_budget);

}  // namespace mskb
