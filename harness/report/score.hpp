#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/evaluation.hpp"

namespace mskb {

// One problem's score for one origin, a pure function of evaluations (design: "Scores").
struct ProblemScore {
  std::string task, precision, origin, candidate;
  std::string clock;                    // span, call or batch
  bool correct = false;                 // no case failed
  bool partial = false;                 // some case was skipped
  double weighted_speedup = 0;          // P; 0 when incorrect or nothing was timed
  double low = 0, high = 0;             // P with every case at the ends of its interval
  double launch_bound_share = 0;        // share of the weight in launch-bound cases
  int cases = 0, failed = 0, skipped = 0, undecided = 0, timed = 0;
  std::map<std::string, int> verdicts;
  std::string paper_verdict;            // passed, failed, or empty
  std::optional<double> ratio_to_best_baseline;  // best baseline's time / this one's, at the largest case
  std::optional<double> largest_us, reference_largest_us, best_baseline_us, limit_share;  // at the largest case
};

std::vector<ProblemScore> scores(const std::vector<Evaluation>& evaluations, const std::string& clock);

}  // namespace mskb
