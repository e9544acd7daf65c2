#include "report/self_test.hpp"

#include <gtest/gtest.h>

#include "report/tables.hpp"


namespace mskb::test {

namespace {

Evaluation timed(const std::string& origin, double span, double speedup, bool decided, const std::string& verdict) {
  Evaluation evaluation;
  evaluation.backend = "cuda";
  evaluation.task = "copy";
  evaluation.precision = "fp32";
  evaluation.case_name = "copy/fp32/paper/0";
  evaluation.set = "paper";
  evaluation.origin = origin;
  evaluation.verdict = Verdict::passed;
  Timing timing;
  timing.protocol = "strict";
  timing.clocks["span"] = {{span}, span};
  SpeedupEstimate estimate;
  estimate.value = speedup;
  estimate.decided = decided;
  estimate.verdict = verdict;
  timing.speedups["span"] = estimate;
  evaluation.timing = timing;
  return evaluation;
}

StoredRun run_of(std::vector<Evaluation> evaluations) {
  StoredRun stored;
  stored.run.protocol = "strict";
  stored.run.environment.backend = "cuda";
  stored.evaluations = std::move(evaluations);
  return stored;
}

}  // namespace

TEST(Unfit, IsARunWhoseSelfTestFailed) {
  StoredRun stored = run_of({timed("reference", 50, 1, true, "")});
  for (const char* fine : {"passed", "not run: there is no GPU"}) {
    stored.run.figures["self_test"] = fine;
    EXPECT_EQ(unfit_reason(stored.run), "");
  }
  stored.run.figures["self_test"] = "failed: outputs of zeros are passed";
  EXPECT_EQ(unfit_reason(stored.run), "outputs of zeros are passed");
  EXPECT_NE(render_report(stored, Format::text).find("unfit: the start-up self-test failed, do not cite: outputs of zeros are passed"), std::string::npos);
  EXPECT_NE(render_report(stored, Format::json).find("\"unfit\""), std::string::npos);
}

TEST(SelfTestLines, CountOnlyCasesOverTwentyMicroseconds) {
  const StoredRun stored = run_of({timed("selftest:identity", 50, 1.005, true, "same"), timed("selftest:identity", 50, 1.005, false, "undecided"),
                                   timed("selftest:identity", 50, 1.03, true, "faster"), timed("selftest:identity", 5, 1.3, false, "undecided"),
                                   timed("selftest:slower", 50, 0.95, true, "slower"), timed("selftest:slower", 50, 1.0, true, "same")});
  EXPECT_EQ(self_test_lines(ReportData(stored)),
            (std::vector<std::string>{
                "--self-test: the reference against itself is 1 within 1 % in 2 of 3 cases over 20 us, with an interval of 1 % in 1",
                "--self-test: a copy with 5 % added is called slower in 1 of 2 cases over 20 us"}));
}

TEST(SelfTestLines, ARunWithoutSelfTestsSaysNothing) {
  const StoredRun stored = run_of({timed("reference", 50, 1, true, "same")});
  EXPECT_TRUE(self_test_lines(ReportData(stored)).empty());
}

}  // namespace mskb::test
