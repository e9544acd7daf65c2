#include "report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace mskb {

std::string author_of(const std::string& origin) { return origin.substr(0, origin.find('#')); }

std::vector<Summary> summarize(const std::vector<ProblemScore>& scores, int planned) {
  std::set<std::string> problems;
  std::map<std::pair<std::string, std::string>, std::map<std::string, const ProblemScore*>> authors;
  for (const ProblemScore& score : scores) {
    problems.insert(score.problem());
    if (score.origin != "reference") {
      authors[{author_of(score.origin), score.set}][score.problem()] = &score;
    }
  }
  const int all = std::max(planned, static_cast<int>(problems.size()));
  std::vector<Summary> result;
  for (const auto& [key, own] : authors) {
    Summary summary;
    summary.origin = key.first;
    summary.set = key.second;
    const int seen = static_cast<int>(own.size());
    summary.problems = key.first.starts_with("baseline:") ? seen : all;
    summary.without_record = summary.problems - seen;
    double logs = 0, baseline_logs = 0, closed = 0;
    for (const auto& [problem, score] : own) {
      summary.timed_cases += score->timed;
      summary.undecided_cases += score->undecided;
      summary.correct += score->is_success();
      summary.partial += score->correct && score->partial;
      summary.incorrect += !score->correct;
      if (!score->is_success()) {
        continue;
      }
      for (std::size_t i = 0; i < thresholds.size(); ++i) {
        summary.successes[i] += thresholds[i] == 0 || score->weighted_speedup > thresholds[i];
      }
      if (score->weighted_speedup > 0) {
        logs += std::log(score->weighted_speedup);
        ++summary.geometric_problems;
      }
      if (score->headroom_closed) {
        closed += *score->headroom_closed;
        ++summary.headroom_problems;
      }
      if (score->ratio_to_best_baseline && !score->origin.starts_with("baseline:")) {
        baseline_logs += std::log(*score->ratio_to_best_baseline);
        ++summary.baseline_problems;
      }
    }
    if (summary.geometric_problems > 0) {
      summary.geometric_mean = std::exp(logs / summary.geometric_problems);
    }
    if (summary.headroom_problems > 0) {
      summary.headroom_closed = closed / summary.headroom_problems;
    }
    if (summary.baseline_problems > 0) {
      summary.baseline_ratio = std::exp(baseline_logs / summary.baseline_problems);
    }
    result.push_back(summary);
  }
  return result;
}

}  // namespace mskb
