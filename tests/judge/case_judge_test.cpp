#include "judge/case_judge.hpp"

#include <gtest/gtest.h>

#include "two_buffer_case.hpp"

namespace mskb::test {

TEST(CaseJudge, NothingSeenIsNotAPass) {
  const Case test_case = two_buffer_case();
  EXPECT_FALSE(CaseJudge(test_case).passed());
}

TEST(CaseJudge, OneRefusedStepFailsTheCase) {
  const Case test_case = two_buffer_case();
  CaseJudge judge(test_case);
  judge.add(0, clean());
  judge.add(1, refused());
  EXPECT_FALSE(judge.passed());
  EXPECT_EQ(judge.verdict(), Verdict::mismatch);
}

TEST(CaseJudge, TheSameContentsAcceptedAndRefusedIsNondeterministic) {
  const Case test_case = two_buffer_case();
  CaseJudge judge(test_case);
  judge.add(0, clean());
  judge.add(0, refused());
  EXPECT_EQ(judge.verdict(), Verdict::nondeterministic);
}

TEST(CaseJudge, OtherBitsInsideTheBoundAreRecordedAndPass) {
  const Case test_case = two_buffer_case();
  CaseJudge judge(test_case);
  judge.add(0, clean());
  Observation other = clean();
  other.findings->outputs[1].fingerprint = 8;
  judge.add(0, other);
  Evaluation evaluation;
  judge.write(evaluation);
  EXPECT_EQ(evaluation.verdict, Verdict::passed);
  EXPECT_EQ(evaluation.bitwise, "varies");
}

TEST(CaseJudge, ErrorsAreTheWorstOfAllSteps) {
  const Case test_case = two_buffer_case();
  CaseJudge judge(test_case);
  Observation first = clean(), second = clean();
  first.findings->outputs[1].worst_ratio = 0.2;
  second.findings->outputs[1].worst_ratio = 0.7;
  judge.add(0, first);
  judge.add(1, second);
  Evaluation evaluation;
  judge.write(evaluation);
  ASSERT_EQ(evaluation.errors.size(), 1u);
  EXPECT_EQ(evaluation.errors[0].output, "out");
  EXPECT_DOUBLE_EQ(evaluation.errors[0].worst_ratio, 0.7);
  EXPECT_EQ(evaluation.errors[0].checked, 128u);
}

}  // namespace mskb::test
