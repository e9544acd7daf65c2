#pragma once
#include <string>

#include "report/format.hpp"
#include "store/run_reader.hpp"

namespace mskb {

struct ReportOptions {
  bool cases = false;       // the table per case too
  bool references = false;  // rows of the references even where they passed and others stand beside them
  std::string table = "problems";  // of CSV: problems, cases or summary
};

// A stored run as problem table, summary and, when asked, case table: the same bytes on every machine. CSV is one of these tables under comment
// lines; HTML is the page of page.hpp. Runs of the CPU backend get verdicts and
// no speedups, and say so.
std::string render_report(const StoredRun& stored, Format format, const ReportOptions& options = {});

}  // namespace mskb
