#include <gmock/gmock.h>

#include "fake_harness.hpp"
#include "mskb/optimizer.hpp"

namespace mskb {
namespace {

using ::testing::HasSubstr;
using test::FakeSession;

const std::string bin = MSKB_BINARY_DIR;

TEST(OptimizerHeader, TheExampleOfTheDocumentSubmitsItsBest) {
  FakeSession session;
  const SessionOutcome outcome = session.run({bin + "/flag_optimizer"});
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(outcome.spending.evaluations, 2);
  EXPECT_EQ(outcome.submitted->origin, "optimizer:test#1") << "both passed and nothing is timed: the first";
  ASSERT_EQ(session.messages(false, "note").size(), 2u);
  EXPECT_EQ(session.messages(false, "note")[0].at("role"), "compiler");
  EXPECT_EQ(session.messages(false, "evaluate")[1].at("flags").at(0), "--use_fast_math");
}

TEST(OptimizerHeader, WhoeverIsStoppedSubmitsTheBestThatPassed) {
  FakeSession session;
  session.options["wish"] = "speed";
  session.plan.budget.evaluations = 3;
  const SessionOutcome outcome = session.run({bin + "/stubborn_optimizer"});
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(outcome.submitted->origin, "optimizer:test#2") << "the first was wrong";
  EXPECT_EQ(outcome.spending.tokens, 15);
  EXPECT_EQ(outcome.spending.money, std::nullopt);
  const auto notes = session.messages(false, "note");
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].at("text"), "silu_and_mul/fp32 speed");
  EXPECT_THAT(notes[1].at("text").get<std::string>(), HasSubstr("size set 'huge' is unknown"));
}

TEST(OptimizerHeader, StoppedWithNothingThatPassedSubmitsNothing) {
  FakeSession session;
  session.options["wish"] = "speed";
  session.plan.budget.evaluations = 1;
  const SessionOutcome outcome = session.run({bin + "/stubborn_optimizer"});
  EXPECT_EQ(outcome.ending, SessionEnding::nothing_submitted);
  EXPECT_THAT(outcome.detail, HasSubstr("the budget of 1 evaluation is spent"));
}

TEST(OptimizerHeader, AnExceptionEndsTheProgramWithALine) {
  FakeSession session;  // without the option that it reads
  const SessionOutcome outcome = session.run({bin + "/stubborn_optimizer"});
  EXPECT_EQ(outcome.ending, SessionEnding::died);
  EXPECT_THAT(outcome.detail, HasSubstr("exit code 1"));
}

TEST(OptimizerHeader, WeighsSpeedups) {
  optimizer::Report report;
  EXPECT_EQ(report.weighted_speedup("span"), std::nullopt);
  report.cases.resize(3);
  report.cases[0].weight = 1;
  report.cases[0].speedup["span"].value = 1;
  report.cases[1].weight = 3;
  report.cases[1].speedup["span"].value = 2;
  EXPECT_DOUBLE_EQ(*report.weighted_speedup("span"), 1.75);
}

TEST(OptimizerHeader, TakesTheFastestWhereThereAreTimes) {
  FakeSession session;
  session.timed = true;
  // The reference's text is timed as equal, a text that says so as twice as fast.
  const SessionOutcome outcome = session.run({bin + "/flag_optimizer"});
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  const Json evaluation = session.messages(true, "evaluation").at(0);
  EXPECT_EQ(evaluation.at("cases").at(0).at("timing").at("speedup").at("span").at("value"), 1);
}

}  // namespace
}  // namespace mskb
