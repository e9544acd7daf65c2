#include <fmt/format.h>

#include "base/errors.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"
#include "report/report_data.hpp"

namespace mskb {

namespace {

// Empty where there is no figure; never a zero in its place.
std::string figure(const std::optional<double>& value) { return value ? fmt::format("{}", rounded(*value)) : ""; }
std::string yes(bool value) { return value ? "yes" : "no"; }

Grid problems(const ReportData& data) {
  Grid grid({{"task"}, {"precision"}, {"set"}, {"origin"}, {"candidate"}, {"verdict"}, {"paper_verdict"}, {"correct"}, {"partial"},
             {"passed"}, {"failed"}, {"skipped"}, {"missing"}, {"timed"}, {"undecided"}, {"clock"}, {"P"}, {"low"}, {"high"}, {"P_call"},
             {"launch_bound_share"}, {"reference_us"}, {"us"}, {"best_baseline_us"}, {"ratio_to_best_baseline"}, {"limit_share"},
             {"headroom_closed"}});
  for (const ProblemScore& problem : data.problems) {
    const bool scored = !data.scoring.cpu && (problem.timed > 0 || !problem.correct);
    const auto when_scored = [&](double value) { return scored ? figure(value) : std::string(); };
    grid.row({problem.task, problem.precision, problem.set, problem.origin, problem.candidate, problem.worst_verdict, problem.paper_verdict,
              yes(problem.correct), yes(problem.partial), fmt::format("{}", problem.passed), fmt::format("{}", problem.failed),
              fmt::format("{}", problem.skipped), fmt::format("{}", problem.missing), fmt::format("{}", problem.timed),
              fmt::format("{}", problem.undecided), data.scoring.cpu ? "" : problem.clock, when_scored(problem.weighted_speedup),
              when_scored(problem.low), when_scored(problem.high), figure(problem.call_weighted_speedup),
              when_scored(problem.launch_bound_share), figure(problem.reference_largest_us), figure(problem.largest_us),
              figure(problem.best_baseline_us), figure(problem.ratio_to_best_baseline), figure(problem.limit_share),
              figure(problem.headroom_closed)});
  }
  return grid;
}

Grid cases(const ReportData& data) {
  Grid grid({{"id"}, {"task"}, {"precision"}, {"set"}, {"case"}, {"size"}, {"weight"}, {"origin"}, {"candidate"}, {"verdict"},
             {"paper_verdict"}, {"S"}, {"low"}, {"high"}, {"decided"}, {"S_call"}, {"us"}, {"reference_us"}, {"best_baseline_us"},
             {"launch_bound"}, {"limit_us"}, {"limit_share"}, {"headroom_closed"}});
  for (const CaseScore& score : data.cases) {
    const Evaluation& own = *score.evaluation;
    const auto of_speedup = [&](double SpeedupEstimate::*field) { return score.speedup ? figure((*score.speedup).*field) : std::string(); };
    grid.row({own.id, own.task, own.precision, own.set, fmt::format("{}", case_index(own)), own.size, figure(own.weight), own.origin,
              own.candidate, std::string(to_string(own.verdict)), own.paper_verdict, of_speedup(&SpeedupEstimate::value),
              of_speedup(&SpeedupEstimate::low), of_speedup(&SpeedupEstimate::high), score.speedup ? yes(score.speedup->decided) : "",
              score.call_speedup ? figure(score.call_speedup->value) : "", figure(score.time_us), figure(score.reference_us),
              figure(score.best_baseline_us), score.speedup ? yes(own.timing->launch_bound) : "", figure(score.limit_us),
              figure(score.limit_share), figure(score.headroom_closed)});
  }
  return grid;
}

Grid summaries(const ReportData& data) {
  std::vector<Grid::Column> columns{{"origin"}, {"set"}, {"problems"}, {"correct"}, {"partial"}, {"incorrect"}, {"without_record"}};
  for (const double tau : thresholds) {
    columns.push_back({tau == 0 ? "successes" : fmt::format("P_over_{}", tau)});
  }
  for (const char* title : {"geometric_mean", "geometric_n", "ratio_to_best_baseline", "baseline_n", "headroom_closed", "headroom_n", "timed_cases", "undecided_cases"}) {
    columns.push_back({title});
  }
  Grid grid(columns);
  for (const Summary& summary : data.summaries) {
    std::vector<std::string> cells{summary.origin, summary.set};
    for (const int count : {summary.problems, summary.correct, summary.partial, summary.incorrect, summary.without_record}) {
      cells.push_back(fmt::format("{}", count));
    }
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      cells.push_back(data.scoring.cpu && thresholds[i] > 0 ? "" : fmt::format("{}", summary.successes[i]));
    }
    cells.insert(cells.end(), {figure(summary.geometric_mean), fmt::format("{}", summary.geometric_problems), figure(summary.baseline_ratio),
                               fmt::format("{}", summary.baseline_problems), figure(summary.headroom_closed),
                               fmt::format("{}", summary.headroom_problems), fmt::format("{}", summary.timed_cases),
                               fmt::format("{}", summary.undecided_cases)});
    grid.row(cells);
  }
  return grid;
}

}  // namespace

Grid csv_table(const ReportData& data, const std::string& table) {
  if (table == "cases") {
    return cases(data);
  }
  if (table == "summary") {
    return summaries(data);
  }
  if (table == "problems") {
    return problems(data);
  }
  throw InputError(fmt::format("--table {}: give problems, cases or summary", table));
}

}  // namespace mskb
