#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "report/comparison.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"

namespace mskb {

namespace {

using Json = nlohmann::ordered_json;

// Where nothing is timed there is nothing to be undecided about.
const char* name_of_undecided(const Comparison& comparison) { return comparison.timed ? "undecided" : "both"; }

const char* name_of(const Comparison& comparison, ProblemOutcome outcome) {
  switch (outcome) {
    case ProblemOutcome::win: return "win";
    case ProblemOutcome::loss: return "loss";
    case ProblemOutcome::undecided: return name_of_undecided(comparison);
    default: return "neither";
  }
}

std::string three_digits(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.3f}", *ratio) : "-"; }

std::string interval(const Standing& standing) {
  return standing.low && *standing.low != *standing.high ? fmt::format("{:.3f}-{:.3f}", *standing.low, *standing.high) : "-";
}

// What the sessions of a contestant could spend; empty without sessions.
std::string budget_of(const Comparison& comparison, const Contestant& contestant) {
  const ReportData& data = *comparison.runs[contestant.run];
  for (const auto& [key, score] : contestant.problems) {
    const auto session = data.sessions.by_problem.find(key.first);
    if (session != data.sessions.by_problem.end() && "optimizer:" + session->second.optimizer == contestant.author) {
      std::vector<std::string> parts;
      for (const auto& [figure, value] : session->second.budget) {
        parts.push_back(fmt::format("{} {:.6g}", figure, value));
      }
      const std::string model = session->second.model();
      return fmt::format("{}{}", fmt::join(parts, ", "), model.empty() ? "" : ", model " + model);
    }
  }
  return "";
}

void add_head(Document& page, const Comparison& comparison) {
  std::string first_budget;
  bool differ = false;
  for (std::size_t i = 0; i < comparison.contestants.size(); ++i) {
    const Contestant& contestant = comparison.contestants[i];
    const Run& run = comparison.runs[contestant.run]->stored.run;
    const std::string budget = budget_of(comparison, contestant);
    page.line(fmt::format("{}: run {} of {}, {}, protocol {}: {}{}{}", contestant.label, run.id, run.started, run.environment.device,
                          run.protocol, origin_text(contestant.author), budget.empty() ? "" : "; budget: ", budget));
    differ = differ || (i > 0 && budget != first_budget);
    first_budget = i == 0 ? budget : first_budget;
  }
  if (differ) {
    page.line("their budgets or models differ: compare them where best so far stands against spend");
  }
  for (const std::string& line : comparison.lines) {
    page.line(line);
  }
}

Grid problem_rows(const Comparison& comparison) {
  std::vector<Grid::Column> columns{{"problem"}, {"set"}, {"who"}, {"origin"}, {"candidate"}, {"verdict"}};
  if (comparison.timed) {
    columns.insert(columns.end(), {{"P", true}, {"P/base", true}, {"interval"}, {"time", true}, {"w/l/u"}});
  }
  columns.push_back({"outcome"});
  Grid grid(std::move(columns));
  for (std::size_t k = 0; k < comparison.problems.size(); ++k) {
    for (std::size_t i = 0; i < comparison.contestants.size(); ++i) {
      const Standing& standing = comparison.standings[k][i];
      const ProblemScore* own = standing.own;
      const std::string same = i == 0 || own == nullptr || standing.base == nullptr ? "-" : own->candidate == standing.base->candidate ? "same" : "other";
      std::vector<std::string> cells{comparison.problems[k].first, comparison.problems[k].second, comparison.contestants[i].label,
                                     own == nullptr ? "-" : origin_text(own->origin), same,
                                     own != nullptr ? own->worst_verdict : "no record"};
      if (comparison.timed) {
        const bool scored = own != nullptr && (own->timed > 0 || !own->correct);
        cells.push_back(scored ? ratio_text(own->weighted_speedup) : "-");
        if (i == 0) {
          cells.insert(cells.end(), {"base", "-", "-", "-"});
        } else {
          cells.insert(cells.end(), {three_digits(standing.ratio), interval(standing), three_digits(standing.time_ratio),
                                     fmt::format("{}/{}/{}", standing.wins, standing.losses, standing.undecided)});
        }
      }
      cells.push_back(i == 0 ? "-" : name_of(comparison, standing.outcome));
      grid.row(cells);
    }
  }
  return grid;
}

Grid total_rows(const Comparison& comparison) {
  std::vector<Grid::Column> columns{{"who"}, {"origin"}, {"problems won", true}, {"lost", true}, {name_of_undecided(comparison), true}, {"neither", true}};
  if (comparison.timed) {
    columns.insert(columns.end(), {{"mean P/base", true}, {"cases w/l/u"}});
  }
  Grid grid(std::move(columns));
  for (std::size_t i = 1; i < comparison.contestants.size(); ++i) {
    const Total& total = comparison.totals[i];
    std::vector<std::string> cells{comparison.contestants[i].label, origin_text(comparison.contestants[i].author)};
    for (const int count : {total.wins, total.losses, total.undecided, total.neither}) {
      cells.push_back(fmt::format("{}", count));
    }
    if (comparison.timed) {
      cells.push_back(fmt::format("{} ({} of {})", three_digits(total.mean_ratio), total.ratios, comparison.problems.size()));
      cells.push_back(fmt::format("{}/{}/{}", total.cases_won, total.cases_lost, total.cases_undecided));
    }
    grid.row(cells);
  }
  return grid;
}

Grid spend_grid(const Comparison& comparison, const std::string& unit) {
  std::vector<Grid::Column> columns{{unit == "money" ? "US dollars" : unit, true}};
  for (const Contestant& contestant : comparison.contestants) {
    columns.push_back({contestant.label + " solved", true});
    columns.push_back({contestant.label + " mean P", true});
  }
  Grid grid(std::move(columns));
  for (const SpendRow& row : comparison.spend) {
    std::vector<std::string> cells{fmt::format("{:.4g}", row.spent)};
    for (const SpendRow::Cell& cell : row.cells) {
      cells.push_back(fmt::format("{}", cell.solved));
      cells.push_back(cell.mean ? ratio_text(*cell.mean) : "-");
    }
    grid.row(cells);
  }
  return grid;
}

std::string comparison_json(const Comparison& comparison, const CompareOptions& options) {
  const auto figure = [](const std::optional<double>& value) { return value ? Json(rounded(*value)) : Json(nullptr); };
  Json json;
  json["contestants"] = Json::array();
  for (std::size_t i = 0; i < comparison.contestants.size(); ++i) {
    const Contestant& contestant = comparison.contestants[i];
    const Total& total = comparison.totals[i];
    Json one{{"label", contestant.label}, {"run", comparison.runs[contestant.run]->stored.run.id}, {"author", contestant.author},
             {"budget", budget_of(comparison, contestant)}};
    if (i > 0) {
      one["problems"] = {{"won", total.wins}, {"lost", total.losses}, {name_of_undecided(comparison), total.undecided}, {"neither", total.neither}};
      if (comparison.timed) {
        one["mean_ratio"] = {{"value", figure(total.mean_ratio)}, {"problems", total.ratios}, {"of", comparison.problems.size()}};
        one["cases"] = {{"won", total.cases_won}, {"lost", total.cases_lost}, {"undecided", total.cases_undecided}};
      }
    }
    json["contestants"].push_back(std::move(one));
  }
  json["notes"] = comparison.lines;
  json["common_problems"] = comparison.common;
  json["problems"] = Json::array();
  for (std::size_t k = 0; k < comparison.problems.size(); ++k) {
    Json problem{{"problem", comparison.problems[k].first}, {"set", comparison.problems[k].second}, {"standings", Json::array()}};
    for (std::size_t i = 0; i < comparison.contestants.size(); ++i) {
      const Standing& standing = comparison.standings[k][i];
      Json one{{"label", comparison.contestants[i].label}};
      if (standing.own != nullptr) {
        one["origin"] = standing.own->origin;
        one["candidate"] = standing.own->candidate;
        one["verdict"] = standing.own->worst_verdict;
        if (comparison.timed) {
          one["weighted_speedup"] = rounded(standing.own->weighted_speedup);
        }
      } else {
        one["verdict"] = nullptr;
      }
      if (i > 0) {
        one["outcome"] = name_of(comparison, standing.outcome);
        if (comparison.timed) {
          one["ratio"] = figure(standing.ratio);
          one["low"] = figure(standing.low);
          one["high"] = figure(standing.high);
          one["time_ratio"] = figure(standing.time_ratio);
          one["wins"] = standing.wins;
          one["losses"] = standing.losses;
          one["undecided"] = standing.undecided;
        }
      }
      problem["standings"].push_back(std::move(one));
    }
    json["problems"].push_back(std::move(problem));
  }
  json["spend"] = {{"unit", options.spend}, {"rows", Json::array()}};
  for (const SpendRow& row : comparison.spend) {
    Json cells = Json::array();
    for (const SpendRow::Cell& cell : row.cells) {
      cells.push_back({{"solved", cell.solved}, {"mean", figure(cell.mean)}});
    }
    json["spend"]["rows"].push_back({{"spent", rounded(row.spent)}, {"best_so_far", std::move(cells)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string render_comparison(const std::vector<StoredRun>& runs, Format format, const CompareOptions& options) {
  const Comparison comparison = compare_runs(runs, options);
  if (format == Format::json) {
    return comparison_json(comparison, options);
  }
  Document page(format);
  add_head(page, comparison);
  page.gap();
  page.grid(problem_rows(comparison));
  if (format == Format::csv) {
    return page.take();
  }
  page.title("Against " + comparison.contestants.front().label);
  page.grid(total_rows(comparison));
  page.gap();
  page.line(comparison.timed ? "P/base: ratio of the scores, its interval from the far ends of both; time: the base's time over this one's, geometric mean; "
                               "w/l/u: cases won, lost, undecided"
                             : "CPU backend: verdicts only; no speedup is ever computed from it, so that a problem that both solve is won by none");
  page.line("a problem that only one side solves is that side's; neither: nobody solves it, a run was not asked for it or is invalid, or has no record of a "
            "library on it");
  if (!comparison.spend.empty()) {
    page.title("Best so far against spend");
    page.grid(spend_grid(comparison, options.spend));
    page.gap();
    page.line("in-session figures; solved: problems with a timed correct version so far; mean P: geometric, over those");
  }
  return page.take();
}

}  // namespace mskb
