#pragma once
#include <string>
#include <vector>

#include "report/report_data.hpp"

namespace mskb {

// What the run says of the harness itself, a line each; empty without self-tests (origins selftest:identity and selftest:slower). `strict`: in
// how many cases with a span over 20 us the reference against itself came out as 1 within 1 %, and a copy with 5 % added as slower. `paper`: how
// far P of the reference against itself is from 1, the protocol's own noise.
std::vector<std::string> self_test_lines(const ReportData& data);

// Why nothing of a run should be believed: its own self-test failed. Empty otherwise, and where a run of before had none.
std::string unfit_reason(const Run& run);

}  // namespace mskb
