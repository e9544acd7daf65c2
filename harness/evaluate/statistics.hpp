#pragma once
#include <vector>

#include "model/evaluation.hpp"

namespace mskb {

// 0 when empty.
double median(std::vector<double> values);

// speedup = exp(mean of the logs of paired round ratios), with a Student interval on the logs: a bootstrap over few rounds excludes the truth too
// often, and ratios of times are closer to log-normal than to normal. The level is 95 % shared by the looks that may end the measurement
// (Bonferroni: 1 - 0.05 / looks). Pairs with a time that is not positive are left out.
SpeedupEstimate estimate_speedup(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds, int looks);

// Half-width of the interval relative to its value: (high / low)^(1/2) - 1.
double half_width(const SpeedupEstimate& estimate);

// Whether the two process generations, which change places after every `rounds_per_generation` rounds, tell speedups that differ by more than twice
// the interval's half-width: then the interval is narrower than what a new process may bring.
bool generations_differ(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds, const SpeedupEstimate& estimate,
                        int rounds_per_generation);

inline constexpr double decided_half_width = 0.01;
// faster and slower are said only when the whole interval leaves 1 +- this.
inline constexpr double noise_floor = 0.01;

}  // namespace mskb
