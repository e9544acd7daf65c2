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

StoredRun run_with(double us, double speedup, double half_width = 0.005, const std::string& origin = "file:x") {
  return samples::stored(samples::run(), samples::grouped({timed(passed("a", 0, "reference", 2), "span", 100, 1),
                                                           timed(passed("a", 0, origin, 2), "span", us, speedup, half_width)}));
}

nlohmann::json compared(const std::vector<StoredRun>& runs, const CompareOptions& options = {}) {
  return nlohmann::json::parse(render_comparison(runs, Format::json, options));
}

nlohmann::json second(const StoredRun& a, const StoredRun& b) { return compared({a, b})["problems"][0]["standings"][1]; }

TEST(Compare, SaysThatRunsWereJudgedOtherwise) {
  StoredRun raced = run_with(50, 2);
  raced.run.command.push_back("--races");
  const std::string note = "some runs were judged with --races or --sanitize, others not";
  EXPECT_THAT(render_comparison({run_with(50, 2), raced}, Format::text, {}), HasSubstr(note));
  EXPECT_THAT(render_comparison({raced, raced}, Format::text, {}), testing::Not(HasSubstr(note)));
}

TEST(Compare, StatesTheRatioOfScoresAndOfTimes) {
  const auto json = second(run_with(50, 2), run_with(20, 5));
  EXPECT_EQ(json["origin"], "file:x");
  EXPECT_EQ(json["ratio"], 2.5);
  EXPECT_NEAR(json["low"], 2.5 * 0.995 / 1.005, 1e-5);
  EXPECT_NEAR(json["high"], 2.5 * 1.005 / 0.995, 1e-5);
  EXPECT_EQ(json["time_ratio"], 2.5);
  EXPECT_EQ(json["wins"], 1);
  EXPECT_EQ(json["losses"], 0);
  EXPECT_EQ(json["outcome"], "win");
}

TEST(Compare, LosesAndLeavesUndecidedByTheIntervals) {
  EXPECT_EQ(second(run_with(20, 5), run_with(50, 2))["losses"], 1);
  EXPECT_EQ(second(run_with(20, 5), run_with(50, 2))["outcome"], "loss");
  EXPECT_EQ(second(run_with(50, 2), run_with(49, 2.04, 0.05))["undecided"], 1);
  EXPECT_EQ(second(run_with(50, 2), run_with(49, 2.04, 0.05))["outcome"], "undecided");
}

TEST(Compare, AFailureHasNoRatioAndLosesTheProblem) {
  StoredRun b = run_with(20, 5);
  b.evaluations[1] = samples::failed(b.evaluations[1], Verdict::crashed, "");
  b.evaluations[1].timing.reset();
  const auto json = second(run_with(50, 2), b);
  EXPECT_TRUE(json["ratio"].is_null());
  EXPECT_EQ(json["verdict"], "crashed");
  EXPECT_EQ(json["outcome"], "loss");
  EXPECT_EQ(second(b, run_with(50, 2))["outcome"], "win");
  EXPECT_EQ(second(b, b)["outcome"], "neither");
}

TEST(Compare, FilesOfDifferentNamesAreComparedWithEachOther) {
  const auto json = compared({run_with(50, 2, 0.005, "file:mine.cu"), run_with(20, 5, 0.005, "file:better.cu")});
  ASSERT_EQ(json["contestants"].size(), 2u);
  EXPECT_EQ(json["problems"][0]["standings"][0]["origin"], "file:mine.cu");
  EXPECT_EQ(json["problems"][0]["standings"][1]["origin"], "file:better.cu");
  EXPECT_EQ(json["problems"][0]["standings"][1]["ratio"], 2.5);
}

TEST(Compare, SeveralFilesForOneProblemStayApart) {
  StoredRun a = run_with(50, 2);
  a.evaluations.push_back(timed(passed("a", 0, "file:y", 3), "span", 25, 4));
  a.evaluations = samples::grouped(a.evaluations);
  const auto json = compared({a});
  ASSERT_EQ(json["contestants"].size(), 2u);
  EXPECT_EQ(json["contestants"][0]["label"], "a1");
  EXPECT_EQ(json["contestants"][1]["author"], "file:y");
  EXPECT_EQ(json["problems"][0]["standings"][1]["ratio"], 2.0);
}

TEST(Compare, ComparesThreeRunsWithTheFirst) {
  StoredRun c = run_with(10, 10);
  c.run.id = "cccccccccccc";
  const auto json = compared({run_with(50, 2), run_with(20, 5), c});
  ASSERT_EQ(json["contestants"].size(), 3u);
  EXPECT_EQ(json["contestants"][2]["label"], "c");
  EXPECT_EQ(json["problems"][0]["standings"][2]["ratio"], 5.0);
  EXPECT_EQ(json["contestants"][2]["problems"]["won"], 1);
  EXPECT_EQ(json["contestants"][2]["mean_ratio"]["value"], 5.0);
}

// run_with() and a second problem, of which the original alone, or the candidate too, is on record.
StoredRun run_of_two_problems(bool solved) {
  StoredRun run = run_with(50, 2);
  run.evaluations.push_back(timed(passed("b", 0, "reference", 2), "span", 100, 1));
  if (solved) {
    run.evaluations.push_back(timed(passed("b", 0, "file:x", 2), "span", 50, 2));
  }
  run.evaluations = samples::grouped(run.evaluations);
  return run;
}

TEST(Compare, AProblemThatARunWasNotAskedForIsNobodys) {
  for (const auto& [a, b] : {std::pair(run_of_two_problems(true), run_with(20, 5)), std::pair(run_with(20, 5), run_of_two_problems(true))}) {
    const auto json = compared({a, b});
    EXPECT_EQ(json["problems"][1]["standings"][1]["outcome"], "neither");
    EXPECT_EQ(json["contestants"][1]["problems"]["neither"], 1);
    EXPECT_EQ(json["common_problems"], 1);
    EXPECT_THAT(render_comparison({a, b}, Format::text), HasSubstr("1 of 2 problems are common to all runs"));
  }
}

TEST(Compare, AProblemThatARunWasAskedForAndDoesNotSolveIsLost) {
  const auto json = compared({run_of_two_problems(true), run_of_two_problems(false)});
  EXPECT_TRUE(json["problems"][1]["standings"][1]["verdict"].is_null());
  EXPECT_EQ(json["problems"][1]["standings"][1]["outcome"], "loss");
  EXPECT_EQ(json["common_problems"], 2);
}

TEST(Compare, ADamagedRunNeitherWinsNorLoses) {
  for (const std::size_t damaged : {0u, 1u}) {
    std::vector<StoredRun> runs{run_with(50, 2), run_with(20, 5)};
    runs[damaged].damage = {"evaluations.jsonl:1: is no record"};
    const auto json = compared(runs)["problems"][0]["standings"][1];
    EXPECT_EQ(json["outcome"], "neither");
    EXPECT_EQ(json["wins"], 0);
    EXPECT_TRUE(json["ratio"].is_null());
    EXPECT_THAT(render_comparison(runs, Format::text), HasSubstr("a run is invalid: against it nothing is won or lost"));
  }
}

TEST(Compare, ALibraryLosesNothingThatItDoesNotOffer) {
  StoredRun a = samples::strict_run();
  CompareOptions options;
  options.baselines = true;
  const auto json = compared({a}, options);
  EXPECT_EQ(json["contestants"][1]["author"], "baseline");
  EXPECT_EQ(json["contestants"][1]["problems"]["lost"], 1);  // gated_unit
  EXPECT_EQ(json["contestants"][1]["problems"]["neither"], 3);
}

std::string refusal(const std::vector<StoredRun>& runs) {
  try {
    render_comparison(runs, Format::text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Compare, RefusesOtherDevicesAndProtocolsUnlessAsked) {
  StoredRun b = run_with(20, 5);
  b.run.environment.device = "Other GPU";
  for (Evaluation& evaluation : b.evaluations) {
    evaluation.device = "Other GPU";
  }
  EXPECT_THAT(refusal({run_with(50, 2), b}), HasSubstr("of device Invented GPU and run 0123456789ab of Other GPU"));
  CompareOptions options;
  options.any_device = true;
  EXPECT_THAT(render_comparison({run_with(50, 2), b}, Format::text, options), HasSubstr("Other GPU"));
  b = run_with(20, 5);
  b.run.protocol = "paper";
  EXPECT_THAT(refusal({run_with(50, 2), b}), HasSubstr("of protocol strict"));
}

TEST(Compare, NothingIsWonBetweenProtocols) {
  StoredRun b = run_with(20, 5);
  b.run.protocol = "paper";
  CompareOptions options;
  options.any_device = true;
  const std::string text = render_comparison({run_with(50, 2), b}, Format::text, options);
  EXPECT_THAT(text, HasSubstr("nothing is won or lost between them"));
  EXPECT_EQ(nlohmann::json::parse(render_comparison({run_with(50, 2), b}, Format::json, options))["contestants"][1]["problems"]["won"], 0);
}

TEST(Compare, RefusesARunGivenTwice) {
  StoredRun a = run_with(50, 2);
  a.directory = "some/run";
  StoredRun same = a;
  same.directory = "some/other/../run";
  EXPECT_THAT(refusal({a, same}), HasSubstr("is given twice"));
}

TEST(Compare, RefusesRunsThatShareNothing) {
  StoredRun b = run_with(20, 5);
  for (Evaluation& evaluation : b.evaluations) {
    evaluation.task = std::string("b");
  }
  EXPECT_THAT(refusal({run_with(50, 2), b}), HasSubstr("share no problem"));
}

TEST(Compare, RefusesASingleCandidate) { EXPECT_THAT(refusal({run_with(50, 2)}), HasSubstr("one candidate only")); }

TEST(Compare, RunsWithoutCandidatesAreComparedByTheirOriginals) {
  StoredRun a = run_with(50, 2), b = run_with(50, 2);
  for (StoredRun* run : {&a, &b}) {
    run->evaluations.resize(1);
    run->evaluations = samples::grouped(run->evaluations);
  }
  b.evaluations[0].timing->clocks["span"] = {{125, 125}, 125};
  const auto json = second(a, b);
  EXPECT_EQ(json["origin"], "reference");
  EXPECT_EQ(json["time_ratio"], 0.8);
  EXPECT_EQ(json["ratio"], 1.0);
  EXPECT_EQ(json["outcome"], "undecided");
}

TEST(Compare, ALibraryWithoutARecordIsNotSaidToBeMissing) {
  StoredRun a = run_with(50, 2);
  a.evaluations.push_back(timed(passed("a", 0, "baseline:vendor", 2), "span", 40, 2.5));
  a.evaluations = samples::grouped(a.evaluations);
  CompareOptions options;
  options.baselines = true;
  StoredRun b = run_with(20, 5);
  b.evaluations.push_back(timed(passed("b", 0, "reference", 2), "span", 100, 1));
  b.evaluations.push_back(timed(passed("b", 0, "file:x", 2), "span", 50, 2));
  b.evaluations = samples::grouped(b.evaluations);
  const std::string text = render_comparison({a, b}, Format::text, options);
  EXPECT_THAT(text, HasSubstr("no record"));
  EXPECT_THAT(text, HasSubstr("or has no record of a library on it"));
  EXPECT_THAT(text, testing::Not(HasSubstr("offer")));
}

TEST(Compare, CpuRunsByVerdictOnly) {
  const std::string text = render_comparison({samples::cpu_run(), samples::cpu_run()}, Format::text);
  EXPECT_THAT(text, HasSubstr("CPU backend: verdicts only"));
  EXPECT_THAT(text, testing::Not(HasSubstr("P/base")));
  EXPECT_THAT(text, testing::Not(HasSubstr("undecided"))) << "a run of the CPU has verdicts and no speedup";
  EXPECT_THAT(text, HasSubstr("  both  "));
}

TEST(Compare, TellsHowFarTheOriginalsAreApart) {
  StoredRun b = run_with(20, 5);
  b.evaluations[0].timing->clocks["span"] = {{110, 110}, 110};
  EXPECT_THAT(render_comparison({run_with(50, 2), b}, Format::text), HasSubstr("the originals took 1.100 times as long"));
}

}  // namespace
}  // namespace mskb
