#pragma once
#include <vector>

#include "model/evaluation.hpp"

namespace mskb {

// 0 when empty.
double median(std::vector<double> values);

// How an interval follows from rounds. Runs have the rule of the version that made them.
struct IntervalRule {
  int looks;                  // that may end the measurement; they share the level (Bonferroni: 1 - 0.05 / looks)
  int rounds_per_generation;  // after which a candidate's two processes change places; 0: the interval is of the rounds' scatter alone
};

// speedup = exp(mean of the logs of paired round ratios), with a Student interval on the logs: a bootstrap over few rounds excludes the truth too
// often, and ratios of times are closer to log-normal than to normal. Rounds of one process share what it has by chance, so that the error of the
// mean is at least half of what the means of the two processes differ. Pairs with a time that is not positive are left out.
SpeedupEstimate estimate_speedup(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds, const IntervalRule& rule);

// Half-width of the interval relative to its value: (high / low)^(1/2) - 1.
double half_width(const SpeedupEstimate& estimate);

// Whether a candidate's two processes tell speedups that differ by more than twice the half-width which the rounds' scatter alone gives: what a
// process has by chance is larger than what a round has.
bool generations_differ(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds, const IntervalRule& rule);

inline constexpr double decided_half_width = 0.01;
// faster and slower are said only when the whole interval leaves 1 +- this.
inline constexpr double noise_floor = 0.01;

}  // namespace mskb
