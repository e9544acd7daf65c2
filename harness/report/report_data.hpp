#pragma once
#include <string>
#include <vector>

#include "report/bottleneck_classes.hpp"
#include "report/grid.hpp"
#include "report/sessions.hpp"
#include "report/summary.hpp"
#include "report/tables.hpp"

namespace mskb {

// What all formats of a report are printed from.
struct ReportData {
  // Sessions and profiles are read from the run's directory where they are. Records of another device than the run's are left out with a note.
  explicit ReportData(const StoredRun& stored);
  ReportData(const ReportData&) = delete;
  ReportData& operator=(const ReportData&) = delete;

  StoredRun stored;
  ScoreOptions scoring;
  std::vector<CaseScore> cases;
  std::vector<ProblemScore> problems;
  Sessions sessions;
  ProfiledClasses classes;
  int planned_problems = 0, planned_cases = 0;  // 0: the run does not say
  std::vector<Summary> summaries;
  bool several_sets = false;

  // Problems, cases: those on record.
  std::size_t recorded_problems() const;
  std::size_t recorded_cases() const;
  // Whether the run was cut off or left cases out.
  bool unfinished() const;
  bool is_paper() const { return scoring.protocol == "paper"; }
};

// Rows that a table shows: references only where something else is wrong, or asked for.
std::vector<const ProblemScore*> shown_problems(const ReportData& data, bool references);

Grid problem_grid(const ReportData& data, bool references);
Grid case_grid(const ReportData& data);
Grid summary_grid(const ReportData& data);
// One line per problem, origin, verdict and reason: failures, then skipped cases.
std::vector<std::string> failure_lines(const ReportData& data);
// Speedups on record of all but originals; of the undecided ones those whose whole interval lies more than 1 % off 1. None is undecided where the clock
// gives no interval.
struct UndecidedCount {
  int timed = 0, undecided = 0, faster = 0, slower = 0;
};
UndecidedCount undecided_count(const ReportData& data);
// What undecided means and how many of them are faster or slower all the same; empty where none is undecided.
std::vector<std::string> undecided_lines(const ReportData& data);
// What the run says of its sessions' cost, a line each.
std::vector<std::string> cost_lines(const ReportData& data);
// problems, cases or summary, with figures for programs: rounded to six digits, empty where there is none. Throws InputError for other names.
Grid csv_table(const ReportData& data, const std::string& table);
std::string render_json(const ReportData& data, const ReportOptions& options);

}  // namespace mskb
