#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/case_score.hpp"

namespace mskb {

// One problem's score for one candidate on one size set, a pure function of evaluations (design: "Scores").
struct ProblemScore {
  std::string task, precision, origin, candidate, set;
  std::string clock;                    // span, call or batch
  bool correct = false;                 // no case failed, of this set or of `check`
  bool partial = false;                 // some case was skipped, not timed among timed ones, or is missing where another candidate has it
  double weighted_speedup = 0;          // P = sum(T * S) / sum(T); a case without a time has S = 0 and keeps its weight; 0 when incorrect
  double low = 0, high = 0;             // P with every case at the ends of its interval
  std::optional<double> call_weighted_speedup;  // P on the clock `call`
  double launch_bound_share = 0;        // share of the weight in launch-bound cases
  bool generations_differ = false;      // in some case the candidate's two processes tell different ratios
  bool clock_unsteady = false;          // in some case rounds with a fallen clock of the device are kept
  bool stories_differ = false;          // in some case `call` and `span` tell different ratios
  bool origin_error = false;            // some case was accepted only by the original's own measured error
  int cases = 0, passed = 0, failed = 0, skipped = 0, missing = 0;  // `check` cases included
  int undecided = 0, timed = 0;
  std::map<std::string, int> verdicts;  // ours, whichever protocol scores
  std::string worst_verdict;            // ours: "passed", or the failure (else `skipped`) that most cases have
  std::string paper_verdict;            // passed, failed, or empty
  std::string largest_case;             // name; of largest weight
  std::optional<double> ratio_to_best_baseline;  // best baseline's time / this one's, at the largest case
  std::optional<double> largest_us, reference_largest_us, best_baseline_us, limit_share, headroom_closed;  // at the largest case

  std::string problem() const { return task + "/" + precision; }
  bool is_success() const { return correct && !partial; }
};

// By problem and origin, sizes sets apart; references included. A case of `left_out` that has no evaluation is missing for every candidate.
std::vector<ProblemScore> scores(const std::vector<Evaluation>& evaluations, const ScoreOptions& options,
                                 const std::vector<Evaluation>& left_out = {});

// The same for a clock alone: `batch` is read by protocol paper, the others by strict.
std::vector<ProblemScore> scores(const std::vector<Evaluation>& evaluations, const std::string& clock);

}  // namespace mskb
