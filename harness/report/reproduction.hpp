#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/format.hpp"
#include "report/published_table.hpp"
#include "report/report_data.hpp"
#include "report/reproduce_table.hpp"

namespace mskb {

// A published figure beside ours. Absent: not published, or not measured.
struct ReproducedFigure {
  std::string what;                  // "tau = 2", "P", "problems", "USD per problem"
  std::string unit;                  // %, x, or empty
  std::optional<double> expected, measured;
  std::string remark;                // n of N, the interval
};

// One row of a table in one run, or without any.
struct ReproducedRow {
  const ReproduceRow* row = nullptr;
  std::filesystem::path run;         // empty: nothing is on record
  std::string run_id, device, protocol;
  std::vector<ReproducedFigure> figures;
  std::vector<std::string> reasons;  // why its figures do not answer the published ones; empty: eligible
  bool skipped = false;              // no case of the run could be run
  bool finished = false;             // this run leaves nothing of the row to run or resume
};

struct Reproduction {
  ReproduceTable table;
  PublishedTable published;
  std::optional<PublishedTable> costs;
  std::vector<ReproducedRow> rows;   // in the order of the table; several in a row where runs of several protocols answer
  std::vector<std::string> notes;    // runs that could not be read, and why

  // Whether the row is to be run or resumed: no run on record answers it whole.
  bool is_open(const ReproduceRow& row) const;

  // Seconds that a problem took in the newest finished run of the published protocol, and which run that was; for estimates.
  std::optional<double> seconds_per_problem;
  std::string seconds_from;
};

struct ReproduceOptions {
  std::filesystem::path home, runs;            // runs: where --run puts them
  std::vector<std::filesystem::path> more;     // runs, or folders of runs, that may answer rows too
};

// Looks for the table's rows among stored runs. A run answers a row when it is the row's own (runs/<run>), or was made by the same optimizer with
// the same options, or (speedups) holds the row's candidate on its problem. A run that holds a figure of the row goes before one that does not.
Reproduction reproduce(const ReproduceTable& table, const ReproduceOptions& options);

// Whether no case of the run could be run (no device, say); so too of a run without records.
bool all_skipped(const StoredRun& run);

// Whether the environment holds the variable that the row's model key should be in; rows that need none are ready.
bool key_is_set(const ReproduceRow& row);

// A row as one run answers it; `data` is null where none does.
ReproducedRow reproduced_row(const Reproduction& reproduction, const ReproduceRow& row, const ReportData* data);

// The number in a column; nothing where it is absent, empty or no number.
std::optional<double> published_number(const std::map<std::string, std::string>& row, const std::string& column);

// The words of the row's command with its directory, and --resume where that holds a run.
std::vector<std::string> row_command(const ReproduceRow& row, const ReproduceOptions& options);

// What would run and what that costs, then expected against measured with drift and reasons. Text, markdown, CSV, JSON or LaTeX.
std::string render_reproduction(const Reproduction& reproduction, const ReproduceOptions& options, Format format);

}  // namespace mskb
