#include "evaluate/record_audit.hpp"

#include <gmock/gmock.h>

namespace mskb {
namespace {

using Outcome = Repetition::Outcome;
using ::testing::HasSubstr;

Evaluation judged(Verdict verdict, const std::string& detail = "") {
  Evaluation evaluation;
  evaluation.verdict = verdict;
  evaluation.detail = detail;
  evaluation.device = "a device";
  return evaluation;
}

Evaluation timed(double value, double half_width, const std::string& clock = "span", const std::string& protocol = "strict") {
  Evaluation evaluation = judged(Verdict::passed);
  evaluation.timing.emplace().protocol = protocol;
  SpeedupEstimate& estimate = evaluation.timing->speedups[clock];
  estimate.value = value;
  estimate.low = value / (1 + half_width);
  estimate.high = value * (1 + half_width);
  return evaluation;
}

TEST(Repetition, TheSameVerdictHolds) {
  EXPECT_EQ(compare_verdicts(judged(Verdict::passed), judged(Verdict::passed)).outcome, Outcome::holds);
  EXPECT_EQ(compare_verdicts(judged(Verdict::mismatch), judged(Verdict::mismatch)).outcome, Outcome::holds);
}

TEST(Repetition, APassThatFailsNowDiffersAndTheOtherWayRound) {
  const Repetition fails = compare_verdicts(judged(Verdict::passed), judged(Verdict::mismatch, "out[3]"));
  EXPECT_EQ(fails.outcome, Outcome::differs);
  EXPECT_EQ(fails.text, "then passed, now mismatch (out[3])");
  EXPECT_EQ(compare_verdicts(judged(Verdict::mismatch), judged(Verdict::passed)).outcome, Outcome::differs);
}

TEST(Repetition, AnotherFailureHoldsAndIsTold) {
  const Repetition other = compare_verdicts(judged(Verdict::mismatch), judged(Verdict::nondeterministic));
  EXPECT_EQ(other.outcome, Outcome::holds);
  EXPECT_THAT(other.text, HasSubstr("nondeterministic"));
}

TEST(Repetition, WhatIsSkippedHereIsNotRepeated) {
  const Repetition skipped = compare_verdicts(judged(Verdict::passed), judged(Verdict::skipped, "needs a GPU"));
  EXPECT_EQ(skipped.outcome, Outcome::not_repeated);
  EXPECT_THAT(skipped.text, HasSubstr("needs a GPU"));
  EXPECT_EQ(compare_verdicts(judged(Verdict::skipped), judged(Verdict::passed)).outcome, Outcome::not_repeated);
}

TEST(Repetition, AFailureThatWasSkippedWhereTheReferenceRanDiffers) {
  const Evaluation ran = judged(Verdict::passed), did_not_run = judged(Verdict::skipped, "it does not fit");
  Evaluation skipped = judged(Verdict::skipped, "it does not fit");
  EXPECT_EQ(compare_verdicts(skipped, judged(Verdict::mismatch), &ran).outcome, Outcome::differs);
  EXPECT_EQ(compare_verdicts(skipped, judged(Verdict::passed), &ran).outcome, Outcome::not_repeated);
  EXPECT_EQ(compare_verdicts(skipped, judged(Verdict::mismatch), &did_not_run).outcome, Outcome::not_repeated);
  skipped.origin = "baseline:cublas";
  EXPECT_EQ(compare_verdicts(skipped, judged(Verdict::mismatch), &ran).outcome, Outcome::not_repeated);
}

TEST(Repetition, OnTheCpuBackendWhatIsSkippedFollowsFromTheSource) {
  Evaluation passed = judged(Verdict::passed), skipped = judged(Verdict::skipped, "needs inline PTX, which the CPU backend does not have (k.cu:3)"),
             refused = judged(Verdict::mismatch), too_large = judged(Verdict::skipped, "does not fit");
  for (Evaluation* each : {&passed, &skipped, &refused, &too_large}) {
    each->backend = "cpu";
  }
  EXPECT_EQ(compare_verdicts(passed, skipped).outcome, Outcome::differs);
  EXPECT_EQ(compare_verdicts(skipped, refused).outcome, Outcome::differs);
  EXPECT_EQ(compare_verdicts(skipped, skipped).outcome, Outcome::holds);
  EXPECT_EQ(compare_verdicts(passed, too_large).outcome, Outcome::not_repeated);
  passed.backend = "cuda";
  EXPECT_EQ(compare_verdicts(passed, skipped).outcome, Outcome::not_repeated);
}

TEST(Repetition, ThePublishedRulesVerdictIsRepeatedToo) {
  Evaluation then = judged(Verdict::mismatch), now = judged(Verdict::mismatch);
  then.paper_verdict = "passed";
  now.paper_verdict = "failed";
  EXPECT_EQ(compare_verdicts(then, now).outcome, Outcome::differs);
  now.device = "another device";
  EXPECT_EQ(compare_verdicts(then, now).outcome, Outcome::not_repeated);
}

TEST(Repetition, SpeedupsHoldWithinTheirJointInterval) {
  EXPECT_EQ(compare_speedups(timed(2.0, 0.03), timed(2.09, 0.03)).outcome, Outcome::holds);
  EXPECT_EQ(compare_speedups(timed(2.0, 0.01), timed(2.09, 0.01)).outcome, Outcome::differs);
  EXPECT_EQ(compare_speedups(timed(2.0, 0), timed(1.99, 0)).outcome, Outcome::holds) << "noise floor";
  EXPECT_THAT(compare_speedups(timed(2.0, 0.01), timed(1.5, 0.01)).text, HasSubstr("speedup then 2, now 1.5"));
}

TEST(Repetition, PublishedSpeedupsHoldWithinATenth) {
  EXPECT_EQ(compare_speedups(timed(2.0, 0, "batch", "paper"), timed(2.15, 0, "batch", "paper")).outcome, Outcome::holds);
  EXPECT_EQ(compare_speedups(timed(2.0, 0, "batch", "paper"), timed(2.5, 0, "batch", "paper")).outcome, Outcome::differs);
}

TEST(Repetition, OnAnotherDeviceOrWithoutTimesNothingIsSaid) {
  Evaluation elsewhere = timed(4.0, 0.01);
  elsewhere.device = "another";
  EXPECT_EQ(compare_speedups(timed(2.0, 0.01), elsewhere).outcome, Outcome::not_repeated);
  EXPECT_EQ(compare_speedups(timed(2.0, 0.01), judged(Verdict::passed)).outcome, Outcome::not_repeated);
  EXPECT_EQ(compare_speedups(timed(2.0, 0.01), timed(2.0, 0.01, "call")).outcome, Outcome::not_repeated);
  EXPECT_EQ(compare_speedups(judged(Verdict::passed), judged(Verdict::passed)).outcome, Outcome::holds);
}

}  // namespace
}  // namespace mskb
