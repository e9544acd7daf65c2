#include "report/reproduction.hpp"

#include <algorithm>
#include <set>

#include "base/errors.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

// What makes a command the same as another one for a table: optimizer and options.
std::multiset<std::string> identity_of(const std::vector<std::string>& command) {
  std::multiset<std::string> words;
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] == "--optimizer" || command[i] == "--option") {
      words.insert(command[i] + " " + command[i + 1]);
    }
  }
  return words;
}

bool holds(const ReportData& data, const ReproduceRow& row) {
  return std::any_of(data.problems.begin(), data.problems.end(), [&](const ProblemScore& problem) {
    return problem.problem() == row.problem && author_of(problem.origin) == row.origin;
  });
}

bool answers(const ReportData& data, const ReproduceRow& row, Measure measure) {
  const auto wanted = identity_of(row.command);
  const bool same = !wanted.empty() && wanted == identity_of(data.stored.run.command);
  return measure == Measure::speedup ? holds(data, row) && (wanted.empty() || same) : same;
}

using Runs = std::vector<std::unique_ptr<ReportData>>;

Runs stored_runs(const ReproduceOptions& options, std::vector<std::string>& notes) {
  std::vector<fs::path> roots{options.runs, options.home / "results"};
  roots.insert(roots.end(), options.more.begin(), options.more.end());
  std::set<fs::path> seen;
  Runs runs;
  for (const fs::path& root : roots) {
    if (!fs::is_directory(root)) {
      continue;
    }
    for (const fs::path& directory : find_runs(root)) {
      if (!seen.insert(fs::weakly_canonical(directory)).second) {
        continue;
      }
      try {
        runs.push_back(std::make_unique<ReportData>(read_run(directory)));
      } catch (const InputError& error) {
        notes.push_back(error.what());
      }
    }
  }
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a->stored.run.started > b->stored.run.started; });
  return runs;
}

bool same_place(const fs::path& a, const fs::path& b) { return fs::weakly_canonical(a) == fs::weakly_canonical(b); }

std::ptrdiff_t measured(const ReproducedRow& row) {
  return std::count_if(row.figures.begin(), row.figures.end(), [](const ReproducedFigure& figure) { return figure.measured.has_value(); });
}

// What stands for a row: its own run where that holds a figure, else of each protocol the run with most figures (of equals the newest), the published
// protocol first. Runs without any figure are told of only where no run has one.
std::vector<ReproducedRow> answers_of(const Reproduction& reproduction, const ReproduceRow& row, const Runs& runs, const ReproduceOptions& options) {
  std::map<std::pair<bool, std::string>, ReproducedRow> by_protocol;
  std::optional<ReproducedRow> own;
  for (const auto& run : runs) {
    if (row.command.empty()) {
      break;  // published only
    }
    const bool is_own = !row.run.empty() && same_place(run->stored.directory, options.runs / row.run);
    if (!is_own && !answers(*run, row, reproduction.table.measure)) {
      continue;
    }
    ReproducedRow answer = reproduced_row(reproduction, row, run.get());
    if (is_own) {
      own = std::move(answer);
      continue;
    }
    const std::string& protocol = run->stored.run.protocol;
    const std::pair key(protocol != reproduction.table.protocol, protocol);
    const auto found = by_protocol.find(key);
    if (found == by_protocol.end() || measured(found->second) < measured(answer)) {
      by_protocol.insert_or_assign(key, std::move(answer));
    }
  }
  const bool any = std::any_of(by_protocol.begin(), by_protocol.end(), [](const auto& each) { return measured(each.second) > 0; });
  std::vector<ReproducedRow> found;
  if (own && (measured(*own) > 0 || !any)) {
    found.push_back(std::move(*own));
    return found;
  }
  for (auto& [key, answer] : by_protocol) {
    if (!any || measured(answer) > 0) {
      found.push_back(std::move(answer));
    }
  }
  if (found.empty()) {
    found.push_back(reproduced_row(reproduction, row, nullptr));
  }
  return found;
}

}  // namespace

Reproduction reproduce(const ReproduceTable& table, const ReproduceOptions& options) {
  Reproduction reproduction;
  reproduction.table = table;
  const fs::path folder = options.home / "baselines" / "paper";
  reproduction.published = read_published_table(folder / table.published);
  if (!table.costs.empty()) {
    reproduction.costs = read_published_table(folder / table.costs);
  }
  const Runs runs = stored_runs(options, reproduction.notes);
  for (const auto& run : runs) {
    const auto wall = published_number(run->stored.run.figures, "wall_s");
    if (!reproduction.seconds_per_problem && wall && run->planned_problems > 0 && !run->unfinished() && run->stored.run.protocol == table.protocol) {
      reproduction.seconds_per_problem = *wall / run->planned_problems;
      reproduction.seconds_from = run->stored.run.id;
    }
  }
  for (const ReproduceRow& row : reproduction.table.rows) {
    for (ReproducedRow& answer : answers_of(reproduction, row, runs, options)) {
      reproduction.rows.push_back(std::move(answer));
    }
  }
  return reproduction;
}

bool all_skipped(const StoredRun& run) {
  return std::all_of(run.evaluations.begin(), run.evaluations.end(), [](const Evaluation& each) { return each.verdict == Verdict::skipped; });
}

bool Reproduction::is_open(const ReproduceRow& row) const {
  return !row.command.empty() && std::none_of(rows.begin(), rows.end(), [&](const ReproducedRow& each) { return each.row == &row && each.finished; });
}

std::vector<std::string> row_command(const ReproduceRow& row, const ReproduceOptions& options) {
  std::vector<std::string> words = row.command;
  const fs::path out = options.runs / row.run;
  words.insert(words.end(), {"--out", out.string()});
  if (fs::exists(out / "run.yaml")) {
    words.push_back("--resume");
  }
  return words;
}

}  // namespace mskb
