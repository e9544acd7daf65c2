#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/compare.hpp"
#include "report/report_data.hpp"

// What compare prints, as values.
namespace mskb {

using ProblemKey = std::pair<std::string, std::string>;  // "task/precision", size set

struct Contestant {
  std::size_t run = 0;
  std::string label;   // "a", "b", ...; of several in one run "a1", "a2"
  std::string author;  // as in origins, without the number; "file" for a run's files, "baseline" for its libraries
  std::map<ProblemKey, const ProblemScore*> problems;

  bool is_library() const { return author == "baseline"; }
};

enum class ProblemOutcome { win, loss, undecided, neither };  // undecided: both solve it, and neither is known to be faster

// One contestant on one problem, beside the base.
struct Standing {
  const ProblemScore* own = nullptr;          // null: no record
  const ProblemScore* base = nullptr;
  std::optional<double> ratio, low, high;     // P over the base's
  std::optional<double> time_ratio;           // geometric mean of the base's time over this one's
  int wins = 0, losses = 0, undecided = 0;    // cases
  ProblemOutcome outcome = ProblemOutcome::neither;       // of the problem
};

struct Total {
  int wins = 0, losses = 0, undecided = 0, neither = 0;  // problems
  int cases_won = 0, cases_lost = 0, cases_undecided = 0;
  std::optional<double> mean_ratio;                      // geometric, over `ratios` problems
  int ratios = 0;
};

// Best scores so far when each contestant had spent so much.
struct SpendRow {
  double spent = 0;
  struct Cell {
    int solved = 0;
    std::optional<double> mean;                          // geometric mean of the best P of the solved
  };
  std::vector<Cell> cells;                               // by contestant; empty for one without sessions
};

struct Comparison {
  std::vector<std::unique_ptr<ReportData>> runs;
  std::vector<Contestant> contestants;
  std::vector<ProblemKey> problems;
  std::vector<std::vector<Standing>> standings;          // by problem, then contestant (the first: the base itself)
  std::vector<Total> totals;                             // by contestant
  int common = 0;                                        // problems that every run has a record of
  std::vector<SpendRow> spend;
  std::vector<std::string> lines;                        // damage, budgets, drift of the references
  bool timed = true;
};

Comparison compare_runs(const std::vector<StoredRun>& runs, const CompareOptions& options);
// "tokens", "money" or "evaluations" of a session at each evaluation, and the best P so far on that set.
std::vector<SpendRow> spend_rows(const Comparison& comparison, const std::string& unit);

}  // namespace mskb
