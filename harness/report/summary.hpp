#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "report/score.hpp"

namespace mskb {

inline constexpr std::array<double, 5> thresholds{0, 1, 2, 4, 8};

// All problems of one author (an optimizer, a library, a file) on one size set. Nothing leaves the denominator: a problem without a
// record, with a failure or with a skipped case is no success.
struct Summary {
  std::string origin, set;             // optimizer:name, without the number of the attempt
  int problems = 0;                    // planned; for a baseline: those that its library offers
  int correct = 0, partial = 0, incorrect = 0, without_record = 0;
  std::array<int, thresholds.size()> successes{};  // problems that are a success with P > tau; tau = 0: that are a success
  std::optional<double> geometric_mean;            // of P over the successes that were timed
  int geometric_problems = 0;
  std::optional<double> baseline_ratio;            // geometric mean of ratio_to_best_baseline over the successes that have one
  int baseline_problems = 0;
  std::optional<double> headroom_closed;           // mean over the successes that have one
  int headroom_problems = 0;
  int timed_cases = 0, undecided_cases = 0;
};

// The author of an origin: "optimizer:x#3" -> "optimizer:x".
std::string author_of(const std::string& origin);

// `planned`: problems that the run was asked for; 0: those that it has. Of several candidates of one author for a problem the last of the list counts.
// References are left out.
std::vector<Summary> summarize(const std::vector<ProblemScore>& scores, int planned);

}  // namespace mskb
