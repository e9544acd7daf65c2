#include "report/run_figures.hpp"

#include <gmock/gmock.h>

namespace mskb {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(RunFigures, AreTold) {
  mskb::Run run;
  run.figures = {{"self_test", "passed"},  {"self_test_zeros", "mismatch"}, {"planned_cases", "264"}, {"wall_s", "187.2"}, {"undecided_share", "0.8854"},
                 {"no_verdict_share", "0.0210"}, {"self_test_identity", "1.140 (0.919 to 1.415), undecided"},
                 {"sessions_out_of_budget", "3"}, {"odd_figure", "x"}};
  EXPECT_THAT(run_figure_words(run),
              ElementsAre(Pair("Start-up self-test", "passed"), Pair("Start-up self-test, outputs of zeros", "refused, as they should be (mismatch)"),
                          Pair("Start-up self-test, the original against itself", "1.140 (0.919 to 1.415), neither faster, slower nor the same can be said"),
                          Pair("Cases planned", "264"), Pair("Time taken", "187.2 s"), Pair("Speedups whose size is undecided (interval wider than 1 %)", "88.5 %"),
                          Pair("Speedups of which neither faster, slower nor the same can be said", "2.1 %"), Pair("Odd figure", "x"),
                          Pair("Sessions with the ending: out of budget", "3")));
}

// The sessions take most of a campaign's time, and are not in it.
TEST(RunFigures, TheTimeOfACampaignIsOfItsFinalMeasurement) {
  mskb::Run run;
  run.figures = {{"wall_s", "115.6"}, {"measuring_share", "0.25"}};
  run.command = {"mskb", "run"};
  EXPECT_THAT(run_figure_words(run), ElementsAre(Pair("Time taken", "115.6 s"), Pair("Share of the time spent measuring", "25.0 %")));
  for (const char* command : {"optimize", "mcp"}) {
    run.command = {"mskb", command};
    EXPECT_THAT(run_figure_words(run), ElementsAre(Pair("Time taken by the final measurement, without the sessions", "115.6 s"),
                                                   Pair("Share of that time spent measuring", "25.0 %")));
  }
}

TEST(RunFigures, ZerosThatPassAreNoRefusal) {
  mskb::Run run;
  run.figures = {{"self_test_zeros", "passed"}, {"wall_s", "unknown"}};
  EXPECT_THAT(run_figure_words(run), ElementsAre(Pair("Start-up self-test, outputs of zeros", "not refused as they should be (passed)"), Pair("Time taken", "unknown")));
}

}  // namespace
}  // namespace mskb
