#pragma once
#include <string>
#include <vector>

#include "report/grid.hpp"
#include "report/summary.hpp"
#include "report/tables.hpp"

namespace mskb {

// What all formats of a report are printed from.
struct ReportData {
  explicit ReportData(const StoredRun& stored);

  const StoredRun& stored;
  ScoreOptions scoring;
  std::vector<CaseScore> cases;
  std::vector<ProblemScore> problems;
  std::vector<Summary> summaries;
  bool several_sets = false;
  int planned_problems = 0, planned_cases = 0;  // 0: the run does not say

  bool is_paper() const { return scoring.protocol == "paper"; }
};

// Rows that a table shows: references only where something else is wrong, or asked for.
std::vector<const ProblemScore*> shown_problems(const ReportData& data, bool references);

Grid problem_grid(const ReportData& data, bool references);
Grid case_grid(const ReportData& data);
Grid summary_grid(const ReportData& data);
// One line per problem, origin, verdict and reason: failures, then skipped cases.
std::vector<std::string> failure_lines(const ReportData& data);
std::string render_json(const ReportData& data, const ReportOptions& options);

}  // namespace mskb
