#include "report/compare.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "stored_samples.hpp"

namespace mskb {
namespace {

using samples::passed;
using samples::timed;
using testing::HasSubstr;

StoredRun run_with(double us, double speedup, double half_width = 0.005) {
  return samples::stored(samples::run(), {timed(passed("a", 0, "reference", 2), "span", 100, 1),
                                          timed(passed("a", 0, "file:x", 2), "span", us, speedup, half_width)});
}

nlohmann::json row(const StoredRun& a, const StoredRun& b) {
  return nlohmann::json::parse(render_comparison(a, b, Format::json))["problems"][1];
}

TEST(Compare, StatesTheRatioOfScoresAndOfTimes) {
  const auto json = row(run_with(50, 2), run_with(20, 5));
  EXPECT_EQ(json["origin"], "file:x");
  EXPECT_EQ(json["speedup_ratio"], 2.5);
  EXPECT_EQ(json["time_ratio"], 2.5);
  EXPECT_EQ(json["wins"], 1);
  EXPECT_EQ(json["losses"], 0);
  EXPECT_EQ(json["same_candidate"], true);
}

TEST(Compare, LosesAndLeavesUndecidedByTheIntervals) {
  EXPECT_EQ(row(run_with(20, 5), run_with(50, 2))["losses"], 1);
  EXPECT_EQ(row(run_with(50, 2), run_with(49, 2.04, 0.05))["undecided"], 1);
}

TEST(Compare, AFailureHasNoRatio) {
  StoredRun b = run_with(20, 5);
  b.evaluations[1] = samples::failed(b.evaluations[1], Verdict::crashed, "");
  b.evaluations[1].timing.reset();
  const auto json = row(run_with(50, 2), b);
  EXPECT_TRUE(json["speedup_ratio"].is_null());
  EXPECT_EQ(json["verdict_b"], "crashed");
  EXPECT_THAT(render_comparison(run_with(50, 2), b, Format::text), HasSubstr("passed -> crashed"));
}

std::string refusal(const StoredRun& a, const StoredRun& b) {
  try {
    render_comparison(a, b, Format::text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Compare, RefusesOtherDevicesAndProtocolsUnlessAsked) {
  StoredRun b = run_with(20, 5);
  b.run.environment.device = "Other GPU";
  EXPECT_THAT(refusal(run_with(50, 2), b), HasSubstr("of device Invented GPU and run 0123456789ab of Other GPU"));
  CompareOptions options;
  options.any_device = true;
  EXPECT_THAT(render_comparison(run_with(50, 2), b, Format::text, options), HasSubstr("Other GPU"));
  b = run_with(20, 5);
  b.run.protocol = "paper";
  EXPECT_THAT(refusal(run_with(50, 2), b), HasSubstr("of protocol strict"));
}

TEST(Compare, RefusesRunsThatShareNothing) {
  StoredRun b = run_with(20, 5);
  for (Evaluation& evaluation : b.evaluations) {
    evaluation.task = std::string("b");
  }
  EXPECT_THAT(refusal(run_with(50, 2), b), HasSubstr("share no problem"));
}

TEST(Compare, CpuRunsByVerdictOnly) {
  const std::string text = render_comparison(samples::cpu_run(), samples::cpu_run(), Format::text);
  EXPECT_THAT(text, HasSubstr("CPU backend: verdicts only"));
  EXPECT_THAT(text, testing::Not(HasSubstr("P b/a")));
}

}  // namespace
}  // namespace mskb
