#include "report/compare.hpp"

#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "report/figures.hpp"
#include "report/grid.hpp"
#include "report/score.hpp"

namespace mskb {

namespace {

struct Comparison {
  const ProblemScore* a;
  const ProblemScore* b;
  int wins = 0, losses = 0, undecided = 0;  // of b, cases timed in both
  std::optional<double> speedup_ratio;      // P of b over P of a
  std::optional<double> time_ratio;         // geometric mean of time in a over time in b
};

using CaseKey = std::pair<std::string, std::string>;  // case, origin
std::map<CaseKey, CaseScore> by_case(const StoredRun& stored, const ScoreOptions& options) {
  std::map<CaseKey, CaseScore> cases;
  for (CaseScore& score : case_scores(stored.evaluations, options)) {
    cases.insert_or_assign({score.evaluation->case_name, score.evaluation->origin}, std::move(score));
  }
  return cases;
}

void add_cases(Comparison& comparison, const std::map<CaseKey, CaseScore>& in_a, const std::map<CaseKey, CaseScore>& in_b) {
  double logs = 0;
  int times = 0;
  for (const auto& [key, a] : in_a) {
    const auto found = in_b.find(key);
    if (found == in_b.end() || key.second != comparison.a->origin || a.evaluation->task != comparison.a->task ||
        a.evaluation->precision != comparison.a->precision || a.evaluation->set != comparison.a->set) {
      continue;
    }
    const CaseScore& b = found->second;
    if (a.time_us && b.time_us) {
      logs += std::log(*a.time_us / *b.time_us);
      ++times;
    }
    if (a.speedup && b.speedup) {
      const bool win = b.speedup->low > a.speedup->high, loss = b.speedup->high < a.speedup->low;
      ++(win ? comparison.wins : loss ? comparison.losses : comparison.undecided);
    }
  }
  if (times > 0) {
    comparison.time_ratio = std::exp(logs / times);
  }
  if (comparison.a->weighted_speedup > 0 && comparison.b->weighted_speedup > 0) {
    comparison.speedup_ratio = comparison.b->weighted_speedup / comparison.a->weighted_speedup;
  }
}

void check_comparable(const Run& a, const Run& b, bool any_device) {
  const auto refuse = [&](const char* what, const std::string& of_a, const std::string& of_b) {
    if (of_a != of_b && !any_device) {
      throw InputError(fmt::format("run {} is of {} {} and run {} of {}; their figures do not compare, ask with --any-device to see them "
                                   "side by side", a.id, what, of_a, b.id, of_b));
    }
  };
  refuse("backend", a.environment.backend, b.environment.backend);
  refuse("device", a.environment.device, b.environment.device);
  refuse("protocol", a.protocol, b.protocol);
}

std::string verdict_pair(const ProblemScore& a, const ProblemScore& b) {
  return a.worst_verdict == b.worst_verdict ? a.worst_verdict : a.worst_verdict + " -> " + b.worst_verdict;
}

std::string ratio_cell(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.3f}", *ratio) : "-"; }

std::string comparison_json(const Run& a, const Run& b, const std::vector<Comparison>& rows, bool timed) {
  nlohmann::ordered_json json;
  json["a"] = a.id;
  json["b"] = b.id;
  json["problems"] = nlohmann::ordered_json::array();
  for (const Comparison& row : rows) {
    nlohmann::ordered_json problem;
    problem["task"] = row.a->task;
    problem["precision"] = row.a->precision;
    problem["set"] = row.a->set;
    problem["origin"] = row.a->origin;
    problem["same_candidate"] = row.a->candidate == row.b->candidate;
    problem["verdict_a"] = row.a->worst_verdict;
    problem["verdict_b"] = row.b->worst_verdict;
    if (timed) {
      const auto figure = [](const std::optional<double>& value) -> nlohmann::ordered_json {
        return value ? nlohmann::ordered_json(rounded(*value)) : nlohmann::ordered_json(nullptr);
      };
      problem["weighted_speedup_a"] = rounded(row.a->weighted_speedup);
      problem["weighted_speedup_b"] = rounded(row.b->weighted_speedup);
      problem["speedup_ratio"] = figure(row.speedup_ratio);
      problem["time_ratio"] = figure(row.time_ratio);
      problem["wins"] = row.wins;
      problem["losses"] = row.losses;
      problem["undecided"] = row.undecided;
    }
    json["problems"].push_back(std::move(problem));
  }
  return json.dump(2) + "\n";
}

Grid comparison_grid(const std::vector<Comparison>& rows, bool timed) {
  std::vector<Grid::Column> columns{{"problem"}, {"set"}, {"origin"}, {"candidate"}, {"verdict"}};
  if (timed) {
    columns.insert(columns.end(), {{"P a", true}, {"P b", true}, {"P b/a", true}, {"time a/b", true}, {"wins", true},
                                   {"losses", true}, {"undecided", true}});
  }
  Grid grid(std::move(columns));
  for (const Comparison& row : rows) {
    std::vector<std::string> cells{row.a->problem(), row.a->set, origin_text(row.a->origin),
                                   row.a->candidate == row.b->candidate ? "same" : "other", verdict_pair(*row.a, *row.b)};
    if (timed) {
      cells.insert(cells.end(), {ratio_text(row.a->weighted_speedup), ratio_text(row.b->weighted_speedup),
                                 ratio_cell(row.speedup_ratio), ratio_cell(row.time_ratio), fmt::format("{}", row.wins),
                                 fmt::format("{}", row.losses), fmt::format("{}", row.undecided)});
    }
    grid.row(std::move(cells));
  }
  return grid;
}

}  // namespace

std::string render_comparison(const StoredRun& a, const StoredRun& b, Format format, const CompareOptions& options) {
  check_comparable(a.run, b.run, options.any_device);
  const ScoreOptions scoring_a = ScoreOptions::of(a.run, a.evaluations), scoring_b = ScoreOptions::of(b.run, b.evaluations);
  const bool timed = !scoring_a.cpu && !scoring_b.cpu;
  const std::vector<ProblemScore> scores_a = scores(a.evaluations, scoring_a), scores_b = scores(b.evaluations, scoring_b);
  const auto cases_a = by_case(a, scoring_a), cases_b = by_case(b, scoring_b);
  std::vector<Comparison> rows;
  int wins = 0, losses = 0, undecided = 0;
  for (const ProblemScore& of_a : scores_a) {
    const ProblemScore* match = nullptr;
    for (const ProblemScore& of_b : scores_b) {
      if (of_a.problem() == of_b.problem() && of_a.set == of_b.set && of_a.origin == of_b.origin &&
          (match == nullptr || of_b.candidate == of_a.candidate)) {
        match = &of_b;
      }
    }
    if (match == nullptr) {
      continue;
    }
    Comparison row{&of_a, match, 0, 0, 0, {}, {}};
    add_cases(row, cases_a, cases_b);
    if (of_a.origin != "reference") {
      wins += row.wins;
      losses += row.losses;
      undecided += row.undecided;
    }
    rows.push_back(row);
  }
  if (rows.empty()) {
    throw InputError(fmt::format("runs {} and {} share no problem with the same origin", a.run.id, b.run.id));
  }
  if (format == Format::json) {
    return comparison_json(a.run, b.run, rows, timed);
  }
  std::string text = fmt::format("{}a: run {} of {}, {}, protocol {}\n{}b: run {} of {}, {}, protocol {}\n\n",
                                 format == Format::markdown ? "* " : "", a.run.id, a.run.started, a.run.environment.device,
                                 a.run.protocol, format == Format::markdown ? "* " : "", b.run.id, b.run.started,
                                 b.run.environment.device, b.run.protocol);
  for (const StoredRun* stored : {&a, &b}) {
    for (const std::string& damage : stored->damage) {
      text += "INVALID RUN " + stored->run.id + ", do not cite: " + damage + "\n";
    }
  }
  text += comparison_grid(rows, timed).render(format);
  text += timed ? fmt::format("\ncases that b wins, loses, leaves undecided (references aside): {}, {}, {}\n"
                              "times of two runs were not measured side by side\n", wins, losses, undecided)
                : "\nCPU backend: verdicts only; no speedup is ever computed from it\n";
  return text;
}

}  // namespace mskb
