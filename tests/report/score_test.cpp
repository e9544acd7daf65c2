#include "report/score.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <set>

#include "store/samples.hpp"

namespace mskb {
namespace {

using samples::failed;
using samples::passed;
using samples::timed;
using testing::SizeIs;

// Cases 0, 1, 2 have the weights 1, 2, 4; the reference takes 100 us.
class Records {
 public:
  Evaluation& add(int index, const std::string& origin, double speedup, double half_width = 0.005, const std::string& clock = "span") {
    if (references_.insert(index).second) {
      list_.push_back(timed(passed("alpha", index, "reference", 2), clock, 100, 1));
    }
    list_.push_back(timed(passed("alpha", index, origin, 2), clock, 100 / speedup, speedup, half_width));
    return list_.back();
  }
  Evaluation& fail(int index, const std::string& origin, Verdict verdict, const std::string& set = "paper") {
    list_.push_back(failed(passed("alpha", index, origin, 2, set), verdict, "why"));
    return list_.back();
  }
  ProblemScore score(const std::string& origin, const ScoreOptions& options = {}) const {
    ProblemScore found;
    int count = 0;
    for (const ProblemScore& score : scores(list_, options)) {
      if (score.origin == origin) {
        found = score;
        ++count;
      }
    }
    EXPECT_EQ(count, 1);
    return found;
  }
  std::vector<Evaluation>& list() { return list_; }

 private:
  std::set<int> references_;
  std::vector<Evaluation> list_;
};

TEST(Score, WeighsEachSpeedupByItsComplexity) {
  Records records;
  records.add(0, "file:x", 1);
  records.add(1, "file:x", 2);
  records.add(2, "file:x", 4);
  const ProblemScore score = records.score("file:x");
  EXPECT_DOUBLE_EQ(score.weighted_speedup, (1 * 1 + 2 * 2 + 4 * 4) / 7.0);
  EXPECT_TRUE(score.is_success());
  EXPECT_EQ(score.cases, 3);
  EXPECT_EQ(score.timed, 3);
  EXPECT_DOUBLE_EQ(records.score("reference").weighted_speedup, 1);
}

TEST(Score, ACaseThatWasLeftOutIsMissingAndKeepsItsWeight) {
  Records records;
  records.add(0, "file:x", 4);
  for (const char* set : {"paper", "check"}) {
    const auto found = scores(records.list(), ScoreOptions{}, {passed("alpha", 1, "file:x", 2, set)});
    ASSERT_EQ(found.size(), 2u);
    for (const ProblemScore& score : found) {
      EXPECT_EQ(score.missing, 1);
      EXPECT_FALSE(score.is_success());
      const double whole = score.origin == "reference" ? 1 : 4;
      EXPECT_DOUBLE_EQ(score.weighted_speedup, set == std::string("paper") ? whole / 3 : whole);
    }
  }
}

TEST(Score, GivesTheIntervalOfEveryCaseAtItsEnds) {
  Records records;
  records.add(0, "file:x", 10, 0.1);
  records.add(1, "file:x", 4, 0.005);
  const ProblemScore score = records.score("file:x");
  EXPECT_DOUBLE_EQ(score.low, (1 * 9 + 2 * 3.98) / 3);
  EXPECT_DOUBLE_EQ(score.high, (1 * 11 + 2 * 4.02) / 3);
}

TEST(Score, AnUndecidedCaseCountsWithItsPointEstimate) {
  Records records;
  records.add(0, "file:x", 1, 0.2);
  records.add(1, "file:x", 4);
  const ProblemScore score = records.score("file:x");
  EXPECT_EQ(score.undecided, 1);
  EXPECT_DOUBLE_EQ(score.weighted_speedup, (1 * 1 + 2 * 4) / 3.0);
  EXPECT_TRUE(score.is_success());
}

TEST(Score, OneFailedCaseMakesTheProblemIncorrect) {
  for (const VerdictInfo& known : verdicts) {
    Records records;
    records.add(0, "file:x", 3);
    records.fail(1, "file:x", known.verdict);
    const ProblemScore score = records.score("file:x");
    EXPECT_EQ(score.correct, !known.failure) << known.name;
    if (known.failure) {
      EXPECT_EQ(score.weighted_speedup, 0) << known.name;
      EXPECT_EQ(score.high, 0) << known.name;
      EXPECT_EQ(score.worst_verdict, known.name);
    }
  }
}

TEST(Score, ASkippedCaseMakesItPartialAndKeepsItsWeight) {
  Records records;
  records.add(0, "file:x", 1);
  records.add(1, "file:x", 2);
  records.fail(2, "file:x", Verdict::skipped);
  const ProblemScore score = records.score("file:x");
  EXPECT_TRUE(score.correct);
  EXPECT_TRUE(score.partial);
  EXPECT_FALSE(score.is_success());
  EXPECT_DOUBLE_EQ(score.weighted_speedup, (1 * 1 + 2 * 2 + 4 * 0) / 7.0);
  EXPECT_EQ(score.worst_verdict, "skipped");
}

TEST(Score, APassedCaseWithoutATimeMakesItPartial) {
  Records records;
  records.add(0, "file:x", 2);
  records.add(1, "file:x", 2).timing.reset();
  const ProblemScore score = records.score("file:x");
  EXPECT_TRUE(score.partial);
  EXPECT_DOUBLE_EQ(score.weighted_speedup, 1 * 2 / 3.0);
}

TEST(Score, ASpeedupThatIsNotFiniteIsNone) {
  Records records;
  records.add(0, "file:x", 2);
  records.add(1, "file:x", 2).timing->speedups["span"].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(records.score("file:x").partial);
  EXPECT_DOUBLE_EQ(records.score("file:x").weighted_speedup, 1 * 2 / 3.0);
}

TEST(Score, ACaseThatOnlyOthersHaveIsMissing) {
  Records records;
  records.add(0, "file:x", 2);
  records.add(0, "file:y", 2);
  records.add(2, "file:y", 2);
  const ProblemScore score = records.score("file:x");
  EXPECT_EQ(score.missing, 1);
  EXPECT_TRUE(score.partial);
  EXPECT_DOUBLE_EQ(score.weighted_speedup, 1 * 2 / 5.0);
  EXPECT_EQ(records.score("file:y").missing, 0);
}

TEST(Score, CountsTheWeightOfLaunchBoundCases) {
  Records records;
  records.add(0, "file:x", 1).timing->launch_bound = true;
  records.add(1, "file:x", 1).timing->launch_bound = true;
  records.add(2, "file:x", 1);
  EXPECT_DOUBLE_EQ(records.score("file:x").launch_bound_share, 3 / 7.0);
}

TEST(Score, AFailedCheckCaseMakesItIncorrectUnderStrictOnly) {
  Records records;
  records.add(0, "file:x", 2, 0.005, "batch").paper_verdict = "passed";
  records.fail(3, "file:x", Verdict::mismatch, "check");
  ScoreOptions options;
  options.clock = "batch";
  EXPECT_FALSE(records.score("file:x", options).correct);
  EXPECT_EQ(records.score("file:x", options).set, "paper");
  options.protocol = "paper";
  EXPECT_TRUE(records.score("file:x", options).correct);
  EXPECT_DOUBLE_EQ(records.score("file:x", options).weighted_speedup, 2);
}

TEST(Score, WhatCrashedAtAPublishedSizePassesNoRule) {
  Records records;
  records.fail(0, "file:x", Verdict::crashed);
  records.add(1, "file:x", 2).paper_verdict = "passed";
  EXPECT_EQ(records.score("file:x").paper_verdict, "failed");
}

TEST(Score, ProtocolPaperScoresByThePublishedRule) {
  Records records;
  Evaluation& lenient = records.add(0, "file:lenient", 2, 0, "batch");
  lenient.verdict = Verdict::mismatch;
  lenient.paper_verdict = "passed";
  records.add(0, "file:refused", 2, 0, "batch").paper_verdict = "failed";
  records.add(0, "file:unruled", 2, 0, "batch");
  records.fail(0, "file:crash", Verdict::crashed);
  ScoreOptions options;
  options.protocol = "paper";
  options.clock = "batch";
  EXPECT_DOUBLE_EQ(records.score("file:lenient", options).weighted_speedup, 2);
  EXPECT_EQ(records.score("file:lenient", options).worst_verdict, "mismatch");
  EXPECT_EQ(records.score("file:lenient", options).undecided, 0);
  EXPECT_FALSE(records.score("file:refused", options).correct);
  EXPECT_TRUE(records.score("file:unruled", options).correct);
  EXPECT_FALSE(records.score("file:crash", options).correct);
  EXPECT_FALSE(records.score("file:lenient").correct);
}

TEST(Score, PrintsPOnCallBesideP) {
  Records records;
  for (int i = 0; i < 2; ++i) {
    Evaluation& evaluation = records.add(i, "file:x", 4);
    evaluation = timed(evaluation, "call", 20, i == 0 ? 1 : 2.5);
  }
  EXPECT_DOUBLE_EQ(*records.score("file:x").call_weighted_speedup, (1 * 1 + 2 * 2.5) / 3);
  records.add(2, "file:x", 4);
  EXPECT_FALSE(records.score("file:x").call_weighted_speedup) << "one case has no such clock";
}

TEST(Score, ComparesWithTheBestBaselineOfTheGroupRoundByRound) {
  Records records;
  records.add(2, "file:x", 4).timing->clocks["span"] = {{1, 1}, 1};
  records.add(2, "baseline:slow", 1).timing->clocks["span"] = {{50, 50}, 50};
  records.add(2, "baseline:fast", 1).timing->clocks["span"] = {{2, 8}, 5};
  Evaluation wrong = records.add(2, "baseline:wrong", 100);
  wrong.verdict = Verdict::mismatch;
  wrong.timing.reset();
  records.list().back() = wrong;
  Evaluation elsewhere = records.add(2, "baseline:elsewhere", 100);
  elsewhere.group = "another";
  records.list().back() = elsewhere;
  records.add(0, "file:x", 4);
  const ProblemScore score = records.score("file:x");
  EXPECT_EQ(score.largest_case, "alpha/fp32/paper/2");
  EXPECT_DOUBLE_EQ(*score.best_baseline_us, 5);
  EXPECT_DOUBLE_EQ(*score.ratio_to_best_baseline, 4);  // sqrt(2 * 8)
  EXPECT_DOUBLE_EQ(*score.reference_largest_us, 100);
  EXPECT_DOUBLE_EQ(*score.largest_us, 1);
}

TEST(Score, ComparesTheRoundsThatBothTookPartIn) {
  Records records;
  records.add(0, "file:x", 4).timing->clocks["span"] = {{1, 2, 300}, 2};
  records.add(0, "baseline:b", 4).timing->clocks["span"] = {{9, 8}, 9};
  EXPECT_DOUBLE_EQ(*records.score("file:x").ratio_to_best_baseline, 6);  // sqrt(9 * 4)
}

TEST(Score, ComparesMediansWhereThereAreNoRounds) {
  Records records;
  records.add(0, "file:x", 4).timing->clocks["span"] = {{}, 2};
  records.add(0, "baseline:b", 4).timing->clocks["span"] = {{9, 9}, 9};
  EXPECT_DOUBLE_EQ(*records.score("file:x").ratio_to_best_baseline, 4.5);
}

TEST(Score, StatesTheShareOfTheAttainableLimit) {
  ScoreOptions options;
  options.memory_bandwidth = 1e12;
  options.fp32_flops = 1e13;
  Records records;
  Evaluation& evaluation = records.add(2, "file:x", 4);  // 25 us, reference 100 us
  evaluation.bytes = 10e6;                               // 10 us
  evaluation.flops = 1e6;
  EXPECT_DOUBLE_EQ(*records.score("file:x", options).limit_share, 0.4);
  EXPECT_DOUBLE_EQ(*records.score("file:x", options).headroom_closed, 75.0 / 90);
  records.list().back().flops = 2e8;  // 20 us
  EXPECT_DOUBLE_EQ(*records.score("file:x", options).limit_share, 0.8);
  records.list().back().timing->null_kernel_us = 24;
  EXPECT_DOUBLE_EQ(*records.score("file:x", options).limit_share, 24.0 / 25);
  options.memory_bandwidth = 0;
  EXPECT_FALSE(records.score("file:x", options).limit_share);
}

TEST(Score, DoesNotHoldBf16AgainstTheVectorPeakOfFp32) {
  ScoreOptions options;
  options.memory_bandwidth = 1e12;
  options.fp32_flops = 1e13;
  Evaluation evaluation = timed(passed("alpha", 0, "reference", 1, "paper", "bf16"), "span", 25, 1);
  evaluation.bytes = 10e6;
  evaluation.flops = 1e6;
  EXPECT_DOUBLE_EQ(*scores({evaluation}, options).at(0).limit_share, 0.4);
  evaluation.flops = 2e8;
  EXPECT_FALSE(scores({evaluation}, options).at(0).limit_share);
}

TEST(Score, KeepsSizeSetsApart) {
  std::vector<Evaluation> list;
  list.push_back(timed(passed("alpha", 0, "file:x", 1, "paper"), "span", 1, 2));
  list.push_back(timed(passed("alpha", 0, "file:x", 1, "large"), "span", 1, 8));
  list.push_back(passed("alpha", 0, "file:x", 1, "check"));
  const auto result = scores(list, ScoreOptions{});
  ASSERT_THAT(result, SizeIs(2));
  EXPECT_EQ(result[0].set, "large");
  EXPECT_DOUBLE_EQ(result[0].weighted_speedup, 8);
  EXPECT_EQ(result[1].set, "paper");
  EXPECT_DOUBLE_EQ(result[1].weighted_speedup, 2);
  EXPECT_EQ(result[1].cases, 2) << "the case and the check case";
  EXPECT_FALSE(result[1].partial) << "check cases are not timed";
}

TEST(Score, ARepeatedCaseCountsOnceAndItsFailureStands) {
  std::vector<Evaluation> list{timed(passed("alpha", 0, "file:x", 1), "span", 1, 2), timed(passed("alpha", 0, "file:x", 1), "span", 1, 3)};
  EXPECT_EQ(scores(list, ScoreOptions{}).at(0).cases, 1);
  EXPECT_DOUBLE_EQ(scores(list, ScoreOptions{}).at(0).weighted_speedup, 3);
  list.insert(list.begin(), failed(list[0], Verdict::timed_out, ""));
  list[0].timing.reset();
  EXPECT_FALSE(scores(list, ScoreOptions{}).at(0).correct);
}

TEST(Score, TwoCandidatesOfOneOriginAreTwoRows) {
  std::vector<Evaluation> list{passed("alpha", 0, "file:x", 1), passed("alpha", 0, "file:x", 1)};
  list[1].candidate = "edited";
  EXPECT_THAT(scores(list, ScoreOptions{}), SizeIs(2));
}

TEST(Score, CpuRunsHaveNoSpeedups) {
  Records records;
  records.add(0, "file:x", 2);
  ScoreOptions options;
  options.cpu = true;
  const ProblemScore score = records.score("file:x", options);
  EXPECT_TRUE(score.is_success());
  EXPECT_EQ(score.weighted_speedup, 0);
  EXPECT_EQ(score.timed, 0);
  EXPECT_FALSE(score.largest_us);
}

TEST(ScoreOptions, FollowTheRun) {
  std::vector<Evaluation> list{timed(passed("alpha", 0, "reference", 1), "call", 1, 1)};
  EXPECT_EQ(ScoreOptions::of(samples::run("paper"), list).clock, "batch");
  EXPECT_EQ(ScoreOptions::of(samples::run("strict"), list).clock, "call") << "no record has span";
  list.push_back(timed(passed("alpha", 1, "reference", 1), "span", 1, 1));
  EXPECT_EQ(ScoreOptions::of(samples::run("strict"), list).clock, "span");
  EXPECT_TRUE(ScoreOptions::of(samples::run("strict", "cpu"), list).cpu);
  EXPECT_EQ(ScoreOptions::of(samples::run(), list).memory_bandwidth, 1e12);
}

}  // namespace
}  // namespace mskb
