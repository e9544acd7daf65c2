#include "judge/step_verdict.hpp"

#include <gtest/gtest.h>

#include "two_buffer_case.hpp"

namespace mskb::test {

TEST(StepVerdict, CleanFindingsPass) { EXPECT_EQ(judge_step(two_buffer_case(), clean()).verdict, Verdict::passed); }

TEST(StepVerdict, RefusedElementsAreAMismatchThatNamesTheFirst) {
  const StepVerdict verdict = judge_step(two_buffer_case(), refused());
  EXPECT_EQ(verdict.verdict, Verdict::mismatch);
  EXPECT_EQ(verdict.detail.substr(0, 33), "out[17]: got 0.25, want 0.5 (3 of");
}

TEST(StepVerdict, PoisonLeftInAnOutputIsIncomplete) {
  EXPECT_EQ(judge_step(two_buffer_case(), refused(2)).verdict, Verdict::incomplete);
}

TEST(StepVerdict, GuardsComeBeforeInputsAndInputsBeforeOutputs) {
  Observation observation = refused(2);
  observation.findings->modified_input = 0;
  observation.findings->modified_elements = 5;
  EXPECT_EQ(judge_step(two_buffer_case(), observation).verdict, Verdict::modified_input);
  observation.findings->guard_bytes_changed = 4;
  observation.findings->guard_argument = 1;
  observation.findings->guard_distance = 12;
  const StepVerdict verdict = judge_step(two_buffer_case(), observation);
  EXPECT_EQ(verdict.verdict, Verdict::out_of_bounds);
  EXPECT_EQ(verdict.detail, "4 bytes changed outside the buffers, first 12 bytes past the end of out");
}

TEST(Observation, SaysWhetherItsWorkerIsOfUse) {
  using End = Observation::End;
  for (const End end : {End::context_lost, End::died, End::timed_out, End::unloadable, End::never_loaded, End::violation}) {
    EXPECT_TRUE((Observation{end, "", std::nullopt}).lost_worker()) << static_cast<int>(end);
  }
  for (const End end : {End::answered, End::launch_failed, End::threw, End::unsupported, End::fault}) {
    EXPECT_FALSE((Observation{end, "", std::nullopt}).lost_worker()) << static_cast<int>(end);
  }
}

TEST(StepVerdict, EveryEndOfACallHasItsVerdict) {
  using End = Observation::End;
  const std::vector<std::pair<End, Verdict>> expected{
      {End::launch_failed, Verdict::launch_failed}, {End::threw, Verdict::launch_failed}, {End::unsupported, Verdict::skipped},
      {End::died, Verdict::crashed},                {End::timed_out, Verdict::timed_out}, {End::unloadable, Verdict::build_failed},
      {End::violation, Verdict::violation},         {End::fault, Verdict::launch_failed},
      {End::never_loaded, Verdict::timed_out},      {End::context_lost, Verdict::launch_failed}};
  for (const auto& [end, verdict] : expected) {
    const StepVerdict judged = judge_step(two_buffer_case(), {end, "why", std::nullopt});
    EXPECT_EQ(judged.verdict, verdict);
    EXPECT_EQ(judged.detail, "why");
    EXPECT_NE(judge_step(two_buffer_case(), {end, "", std::nullopt}).detail, "") << "a failure says something";
  }
  EXPECT_EQ(judge_step(two_buffer_case(), {End::fault, "out of bounds: shared memory of k", std::nullopt}).verdict,
            Verdict::out_of_bounds);
}

}  // namespace mskb::test
