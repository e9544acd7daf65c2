#include "evaluate/self_test_run.hpp"

#include <gmock/gmock.h>

#include "model/task_file.hpp"

namespace mskb {
namespace {

using ::testing::HasSubstr;

Evaluation part(const std::string& origin, Verdict verdict, double speedup = 0, const std::string& word = "", double span = 50) {
  Evaluation evaluation;
  evaluation.case_name = "copy/fp32/paper/1";
  evaluation.origin = origin;
  evaluation.verdict = verdict;
  if (verdict == Verdict::passed) {
    evaluation.timing.emplace().clocks["span"] = {{span}, span};
    if (speedup > 0) {
      evaluation.timing->speedups["span"] = {speedup, speedup, speedup, 8, true, word};
    }
  }
  return evaluation;
}

std::vector<Evaluation> good(double span = 50) {
  return {part("reference", Verdict::passed, 0, "", span), part("selftest:zeros", Verdict::mismatch),
          part("selftest:identity", Verdict::passed, 1.001, "same", span), part("selftest:slower", Verdict::passed, 0.952, "slower", span)};
}

TEST(SelfTestOfARun, PassesWhenEveryAnswerIsTheKnownOne) {
  const auto figures = judge_self_test(good());
  EXPECT_EQ(figures.at("self_test"), "passed");
  EXPECT_EQ(figures.at("self_test_case"), "copy/fp32/paper/1");
  EXPECT_EQ(figures.at("self_test_zeros"), "mismatch");
  EXPECT_EQ(figures.at("self_test_slower"), "0.952 (0.952 to 0.952), slower");
}

TEST(SelfTestOfARun, FailsWhenZerosPass) {
  auto group = good();
  group[1].verdict = Verdict::passed;
  EXPECT_EQ(judge_self_test(group).at("self_test"), "failed: outputs of zeros are passed");
}

TEST(SelfTestOfARun, FailsWhenTheReferenceIsFasterThanItself) {
  auto group = good();
  group[2] = part("selftest:identity", Verdict::passed, 1.04, "faster");
  EXPECT_THAT(judge_self_test(group).at("self_test"), HasSubstr("failed: the reference against itself is 1.040"));
}

TEST(SelfTestOfARun, FailsWhenFivePercentAreNotSeen) {
  auto group = good();
  group[3] = part("selftest:slower", Verdict::passed, 0.999, "same");
  EXPECT_THAT(judge_self_test(group).at("self_test"), HasSubstr("failed: a copy with 5 % added is 0.999"));
}

TEST(SelfTestOfARun, DoesNotAskForFivePercentOfAShortCall) {
  auto group = good(5);
  group[3] = part("selftest:slower", Verdict::passed, 0.999, "undecided", 5);
  EXPECT_EQ(judge_self_test(group).at("self_test"), "passed");
}

TEST(SelfTestOfARun, DoesNotFailWhereFivePercentRemainUndecided) {
  auto group = good();
  SpeedupEstimate& slower = group[3].timing->speedups["span"];
  slower.low = 0.9, slower.high = 1.01, slower.verdict = "undecided";
  EXPECT_THAT(judge_self_test(group).at("self_test"), HasSubstr("passed, but tells little: a copy with 5 % added is "));
}

TEST(SelfTestOfARun, IsNotRunWithoutADevice) {
  auto group = good();
  group[0].verdict = group[1].verdict = Verdict::skipped;
  group[0].detail = "there is no GPU";
  EXPECT_EQ(judge_self_test(group).at("self_test"), "not run: there is no GPU");
}

TEST(SelfTestOfARun, SaysNothingWhereTheReferenceFails) {
  auto group = good();
  group[0] = part("reference", Verdict::crashed);
  EXPECT_EQ(judge_self_test(group).at("self_test"), "not run: the reference is crashed");
}

TEST(SelfTestOfARun, FillsEveryOutputOfTheCaseWithZeros) {
  const std::vector<Task> tasks = load_tasks(MSKB_SOURCE_DIR);
  const Problem problem{select_tasks(tasks, {"silu_and_mul"}).front(), Precision::bf16};
  const Candidate zeros = zeros_self_test(make_cases(problem, "smoke").front());
  EXPECT_EQ(zeros.origin, "selftest:zeros");
  EXPECT_THAT(zeros.sources.at("zeros.cu"), HasSubstr("cudaMemset(out, 0, "));
  EXPECT_THAT(zeros.sources.at("zeros.cu"), HasSubstr("extern \"C\" void silu_and_mul_bf16("));
}

}  // namespace
}  // namespace mskb
