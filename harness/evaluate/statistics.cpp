#include "evaluate/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace mskb {

double median(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

SpeedupEstimate estimate_speedup(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds,
                                 int looks) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < std::min(reference_rounds.size(), candidate_rounds.size()); ++i) {
    if (reference_rounds[i] > 0 && candidate_rounds[i] > 0) {
      logs.push_back(std::log(reference_rounds[i] / candidate_rounds[i]));
    }
  }
  SpeedupEstimate estimate;
  estimate.rounds = static_cast<int>(logs.size());
  estimate.verdict = "undecided";
  if (logs.empty()) {
    return estimate;
  }
  const double count = static_cast<double>(logs.size());
  double mean = 0;
  for (const double value : logs) {
    mean += value / count;
  }
  estimate.value = estimate.low = estimate.high = std::exp(mean);
  if (logs.size() < 2) {
    return estimate;
  }
  double squares = 0;
  for (const double value : logs) {
    squares += (value - mean) * (value - mean);
  }
  const double error = std::sqrt(squares / (count - 1) / count);
  const boost::math::students_t student(count - 1);
  const double reach = error * boost::math::quantile(student, 1 - 0.05 / looks / 2);
  estimate.low = std::exp(mean - reach);
  estimate.high = std::exp(mean + reach);
  estimate.decided = half_width(estimate) <= decided_half_width;
  if (estimate.low > 1 + noise_floor) {
    estimate.verdict = "faster";
  } else if (estimate.high < 1 - noise_floor) {
    estimate.verdict = "slower";
  } else if (estimate.decided) {
    estimate.verdict = "same";
  }
  return estimate;
}

bool generations_differ(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds, const SpeedupEstimate& estimate,
                        int rounds_per_generation) {
  double sums[2] = {};
  int counts[2] = {};
  for (std::size_t i = 0; i < std::min(reference_rounds.size(), candidate_rounds.size()); ++i) {
    if (reference_rounds[i] > 0 && candidate_rounds[i] > 0) {
      const std::size_t generation = i / static_cast<std::size_t>(rounds_per_generation) % 2;
      sums[generation] += std::log(reference_rounds[i] / candidate_rounds[i]);
      ++counts[generation];
    }
  }
  if (counts[0] == 0 || counts[1] == 0 || !(estimate.low > 0)) {
    return false;
  }
  return std::fabs(sums[0] / counts[0] - sums[1] / counts[1]) > 2 * std::log(1 + half_width(estimate));
}

double half_width(const SpeedupEstimate& estimate) { return std::sqrt(estimate.high / estimate.low) - 1; }

}  // namespace mskb
