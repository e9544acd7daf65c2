#include "report/run_figures.hpp"

#include <gmock/gmock.h>

namespace mskb {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(RunFigures, AreTold) {
  mskb::Run run;
  run.figures = {{"self_test", "passed"},  {"self_test_zeros", "mismatch"}, {"planned_cases", "264"}, {"wall_s", "187.2"}, {"undecided_share", "0.8854"},
                 {"sessions_out_of_budget", "3"}, {"odd_figure", "x"}};
  EXPECT_THAT(run_figure_words(run),
              ElementsAre(Pair("Start-up self-test", "passed"), Pair("Start-up self-test, outputs of zeros", "refused, as they should be (mismatch)"),
                          Pair("Cases planned", "264"), Pair("Time taken", "187.2 s"), Pair("Speedups undecided", "88.5 %"), Pair("Odd figure", "x"),
                          Pair("Sessions with the ending: out of budget", "3")));
}

TEST(RunFigures, ZerosThatPassAreNoRefusal) {
  mskb::Run run;
  run.figures = {{"self_test_zeros", "passed"}, {"wall_s", "unknown"}};
  EXPECT_THAT(run_figure_words(run), ElementsAre(Pair("Start-up self-test, outputs of zeros", "not refused as they should be (passed)"), Pair("Time taken", "unknown")));
}

}  // namespace
}  // namespace mskb
