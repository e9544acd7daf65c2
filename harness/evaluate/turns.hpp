#pragma once
#include <chrono>
#include <optional>
#include <vector>

#include "evaluate/verification.hpp"

namespace mskb {

// How often a case's measurement may end; the intervals share their level between these (estimate_speedup).
inline constexpr int timing_looks = 5;

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
