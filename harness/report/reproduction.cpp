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

// The runs that stand for a row: its own, else the newest of each protocol, the published one first.
std::vector<const ReportData*> runs_of(const ReproduceRow& row, const ReproduceTable& table, const Runs& runs, const ReproduceOptions& options) {
  std::map<std::pair<bool, std::string>, const ReportData*> by_protocol;
  for (const auto& run : runs) {
    if (!row.run.empty() && same_place(run->stored.directory, options.runs / row.run)) {
      return {run.get()};
    }
    if (answers(*run, row, table.measure)) {
      const std::string& protocol = run->stored.run.protocol;
      by_protocol.emplace(std::pair(protocol != table.protocol, protocol), run.get());
    }
  }
  std::vector<const ReportData*> found;
  for (const auto& [key, run] : by_protocol) {
    found.push_back(run);
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
    std::vector<const ReportData*> own = row.command.empty() ? std::vector<const ReportData*>{} : runs_of(row, reproduction.table, runs, options);
    if (own.empty()) {
      own.push_back(nullptr);
    }
    for (const ReportData* run : own) {
      reproduction.rows.push_back(reproduced_row(reproduction, row, run));
    }
  }
  return reproduction;
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
