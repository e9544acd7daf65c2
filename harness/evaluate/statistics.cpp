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

namespace {

// One log of a ratio, and which of the candidate's two processes it is of.
struct Pair {
  double log;
  std::size_t generation;
};

std::vector<Pair> pairs_of(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds, int rounds_per_generation) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < std::min(reference_rounds.size(), candidate_rounds.size()); ++i) {
    if (reference_rounds[i] > 0 && candidate_rounds[i] > 0) {
      const std::size_t generation = rounds_per_generation > 0 ? i / static_cast<std::size_t>(rounds_per_generation) % 2 : 0;
      pairs.push_back({std::log(reference_rounds[i] / candidate_rounds[i]), generation});
    }
  }
  return pairs;
}

// 0 when only one of them has rounds.
double difference_of_generations(const std::vector<Pair>& pairs) {
  double sums[2] = {}, counts[2] = {};
  for (const Pair& pair : pairs) {
    sums[pair.generation] += pair.log;
    ++counts[pair.generation];
  }
  return counts[0] > 0 && counts[1] > 0 ? std::fabs(sums[0] / counts[0] - sums[1] / counts[1]) : 0;
}

}  // namespace

SpeedupEstimate estimate_speedup(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds, const IntervalRule& rule) {
  const std::vector<Pair> pairs = pairs_of(reference_rounds, candidate_rounds, rule.rounds_per_generation);
  SpeedupEstimate estimate;
  estimate.rounds = static_cast<int>(pairs.size());
  estimate.verdict = "undecided";
  if (pairs.empty()) {
    return estimate;
  }
  const double count = static_cast<double>(pairs.size());
  double mean = 0;
  for (const Pair& pair : pairs) {
    mean += pair.log / count;
  }
  estimate.value = estimate.low = estimate.high = std::exp(mean);
  if (pairs.size() < 2) {
    return estimate;
  }
  double squares = 0;
  for (const Pair& pair : pairs) {
    squares += (pair.log - mean) * (pair.log - mean);
  }
  const double error = std::max(std::sqrt(squares / (count - 1) / count), difference_of_generations(pairs) / 2);
  const boost::math::students_t student(count - 1);
  const double reach = error * boost::math::quantile(student, 1 - 0.05 / rule.looks / 2);
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

bool generations_differ(const std::vector<double>& reference_rounds, const std::vector<double>& candidate_rounds, const IntervalRule& rule) {
  const SpeedupEstimate of_scatter = estimate_speedup(reference_rounds, candidate_rounds, {rule.looks, 0});
  return of_scatter.low > 0 &&
         difference_of_generations(pairs_of(reference_rounds, candidate_rounds, rule.rounds_per_generation)) > 2 * std::log(1 + half_width(of_scatter));
}

double half_width(const SpeedupEstimate& estimate) { return std::sqrt(estimate.high / estimate.low) - 1; }

}  // namespace mskb
