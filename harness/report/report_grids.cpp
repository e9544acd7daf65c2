#include <map>
#include <set>

#include <fmt/format.h>

#include "report/figures.hpp"
#include "report/report_data.hpp"

namespace mskb {

namespace {

std::string flags_of(const ProblemScore& problem, bool paper) {
  std::vector<std::string> flags;
  if (problem.partial) {
    flags.push_back("part");
  }
  if (problem.missing > 0) {
    flags.push_back(fmt::format("miss{}", problem.missing));
  }
  if (problem.launch_bound_share > 0) {
    flags.push_back(fmt::format("launch{}", share_text(problem.launch_bound_share)));
  }
  if (problem.stories_differ) {
    flags.push_back("differ");
  }
  if (problem.generations_differ) {
    flags.push_back("process");
  }
  if (problem.clock_unsteady) {
    flags.push_back("clock");
  }
  if (problem.origin_error) {
    flags.push_back("origin");
  }
  if (!paper && problem.correct && problem.paper_verdict == "failed") {
    flags.push_back("rule");
  }
  return fmt::format("{}", fmt::join(flags, " "));
}

std::string scoring_verdict(const ProblemScore& problem, bool paper) {
  return !paper || problem.paper_verdict.empty() ? problem.worst_verdict : problem.paper_verdict;
}

constexpr std::size_t id_digits = 8;  // enough to find a record

// Of what undecided_count counts.
std::string undecided_mark(const ReportData& data, const CaseScore& score) {
  return score.evaluation->origin != "reference" && data.scoring.clock != "batch" && !score.speedup->decided ? "?" : "";
}

std::string problem_set_of(const Evaluation& own) { return own.task + "/" + own.precision + "/" + own.set; }

// Weights of all cases of each problem and size set together.
std::map<std::string, double> weights_of(const ReportData& data) {
  std::map<std::string, double> weights;
  std::set<std::string> seen;
  for (const CaseScore& score : data.cases) {
    const Evaluation& own = *score.evaluation;
    weights[problem_set_of(own)] += seen.insert(own.case_name).second ? own.weight : 0;
  }
  return weights;
}

std::string ratio_or_dash(const std::optional<double>& ratio) { return ratio ? ratio_text(*ratio) : "-"; }

}  // namespace

std::vector<const ProblemScore*> shown_problems(const ReportData& data, bool references) {
  std::set<std::string> accompanied;
  for (const ProblemScore& problem : data.problems) {
    if (problem.origin != "reference") {
      accompanied.insert(problem.problem() + "/" + problem.set);
    }
  }
  std::vector<const ProblemScore*> shown;
  for (const ProblemScore& problem : data.problems) {
    if (references || problem.origin != "reference" || !problem.is_success() ||
        !accompanied.contains(problem.problem() + "/" + problem.set)) {
      shown.push_back(&problem);
    }
  }
  return shown;
}

Grid problem_grid(const ReportData& data, bool references) {
  const bool paper = data.is_paper(), timed = !data.scoring.cpu;
  std::vector<Grid::Column> columns{{"problem"}};
  if (data.several_sets) {
    columns.push_back({"set"});
  }
  columns.insert(columns.end(), {{"origin"}, {"verdict"}});
  if (paper) {
    columns.push_back({"strict"});
  }
  columns.push_back({"p/f/s/u"});
  if (timed) {
    columns.insert(columns.end(), {{"P", true}, {"interval"}, {"P call", true}, {"ref us", true}, {"us", true},
                                   {"best us", true}, {"limit", true}});
  }
  columns.push_back({"flags"});
  Grid grid(std::move(columns));
  for (const ProblemScore* problem : shown_problems(data, references)) {
    std::vector<std::string> cells{problem->problem()};
    if (data.several_sets) {
      cells.push_back(problem->set);
    }
    cells.push_back(origin_text(problem->origin));
    cells.push_back(scoring_verdict(*problem, paper));
    if (paper) {
      cells.push_back(problem->worst_verdict);
    }
    cells.push_back(fmt::format("{}/{}/{}/{}", problem->passed, problem->failed, problem->skipped, problem->undecided));
    if (timed) {
      const bool scored = problem->timed > 0 || !problem->correct;
      cells.push_back(scored ? ratio_text(problem->weighted_speedup) : "-");
      cells.push_back(interval_text(problem->low, problem->high));
      cells.push_back(ratio_or_dash(problem->call_weighted_speedup));
      cells.push_back(time_text(problem->reference_largest_us));
      cells.push_back(time_text(problem->largest_us));
      cells.push_back(time_text(problem->best_baseline_us));
      cells.push_back(share_text(problem->limit_share));
    }
    cells.push_back(flags_of(*problem, paper));
    grid.row(std::move(cells));
  }
  return grid;
}

Grid case_grid(const ReportData& data) {
  const bool paper = data.is_paper(), timed = !data.scoring.cpu;
  std::vector<Grid::Column> columns{{"case"}, {"size"}, {"origin"}, {"verdict"}};
  if (paper) {
    columns.push_back({"paper"});
  }
  if (timed) {
    columns.insert(columns.end(), {{"weight", true}, {"S", true}, {"interval"}, {"S call", true}, {"ref us", true}, {"us", true},
                                   {"best us", true}, {"limit", true}});
  }
  columns.push_back({"id"});
  Grid grid(std::move(columns));
  const auto weights = weights_of(data);
  for (const CaseScore& score : data.cases) {
    const Evaluation& own = *score.evaluation;
    std::vector<std::string> cells{own.case_name, own.size, origin_text(own.origin), std::string(to_string(own.verdict))};
    if (paper) {
      cells.push_back(own.paper_verdict.empty() ? "-" : own.paper_verdict);
    }
    if (timed) {
      const double all = weights.at(problem_set_of(own));
      cells.push_back(own.set == "check" || !(all > 0) ? "-" : share_text(own.weight / all));
      cells.push_back(score.speedup ? ratio_text(score.speedup->value) : "-");
      cells.push_back(score.speedup ? interval_text(score.speedup->low, score.speedup->high) + undecided_mark(data, score) : "-");
      cells.push_back(score.call_speedup ? ratio_text(score.call_speedup->value) : "-");
      cells.push_back(time_text(score.reference_us));
      cells.push_back(time_text(score.time_us));
      cells.push_back(time_text(score.best_baseline_us));
      cells.push_back(share_text(score.limit_share));
    }
    cells.push_back(own.id.substr(0, id_digits));
    grid.row(std::move(cells));
  }
  return grid;
}

Grid summary_grid(const ReportData& data) {
  const bool timed = !data.scoring.cpu;
  std::vector<Grid::Column> columns{{"origin"}};
  if (data.several_sets) {
    columns.push_back({"set"});
  }
  columns.insert(columns.end(), {{"problems", true}, {"correct", true}, {"partial", true}, {"incorrect", true},
                                 {"no record", true}});
  for (const double tau : thresholds) {
    if (timed || tau == 0) {
      columns.push_back({tau == 0 ? std::string("success") : fmt::format("P > {}", tau), true});
    }
  }
  if (timed) {
    columns.insert(columns.end(), {{"geometric mean", true}, {"undecided", true}});
  }
  Grid grid(std::move(columns));
  for (const Summary& summary : data.summaries) {
    std::vector<std::string> cells{origin_text(summary.origin)};
    if (data.several_sets) {
      cells.push_back(summary.set);
    }
    for (const int count : {summary.problems, summary.correct, summary.partial, summary.incorrect, summary.without_record}) {
      cells.push_back(fmt::format("{}", count));
    }
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      if (timed || thresholds[i] == 0) {
        cells.push_back(share_text(static_cast<double>(summary.successes[i]) / summary.problems));
      }
    }
    if (timed) {
      cells.push_back(fmt::format("{} ({} of {})", ratio_or_dash(summary.geometric_mean), summary.geometric_problems,
                                  summary.problems));
      cells.push_back(fmt::format("{} of {}", summary.undecided_cases, summary.timed_cases));
    }
    grid.row(std::move(cells));
  }
  return grid;
}

std::vector<std::string> failure_lines(const ReportData& data) {
  struct Kind {
    std::string head, detail, first;
    int cases = 0;
  };
  std::vector<Kind> kinds[2];  // failures, skipped
  std::map<std::string, std::size_t> place;
  for (const CaseScore& score : data.cases) {
    if (score.outcome == Outcome::passed) {
      continue;
    }
    const Evaluation& own = *score.evaluation;
    const bool published = own.verdict == Verdict::passed;
    const std::string detail = published ? "the published rule refuses it" : own.detail;
    const std::string head = fmt::format("{}/{} {}: {}", own.task, own.precision, origin_text(own.origin),
                                         published ? "paper verdict failed" : to_string(own.verdict));
    auto& list = kinds[score.outcome == Outcome::skipped];
    const auto [found, fresh] = place.emplace(head + "\n" + detail, list.size());
    if (fresh) {
      list.push_back({head, detail, fmt::format("{}/{}", own.set, case_index(own)), 0});
    }
    ++list[found->second].cases;
  }
  std::vector<std::string> lines;
  for (const auto& list : kinds) {
    for (const Kind& kind : list) {
      const std::string where = kind.cases == 1 ? kind.first : fmt::format("{} cases, first {}", kind.cases, kind.first);
      lines.push_back(fmt::format("{} ({}){}{}", kind.head, where, kind.detail.empty() ? "" : ": ", kind.detail));
    }
  }
  return lines;
}

}  // namespace mskb
