#include "report/summary.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "store/samples.hpp"

namespace mskb {
namespace {

using samples::failed;
using samples::passed;
using samples::timed;
using testing::ElementsAre;
using testing::SizeIs;

Evaluation scored(const std::string& task, const std::string& origin, double speedup, double half_width = 0.005) {
  return timed(passed(task, 0, origin, 1), "span", 1, speedup, half_width);
}

// H43: five problems, two crash, three pass at 2.0x.
TEST(Summary, CrashesStayInTheDenominator) {
  std::vector<Evaluation> list;
  for (const char* task : {"a", "b", "c"}) {
    list.push_back(scored(task, "file:x", 2.0));
  }
  for (const char* task : {"d", "e"}) {
    list.push_back(failed(passed(task, 0, "file:x", 1), Verdict::crashed, "signal 11"));
  }
  const auto summaries = summarize(scores(list, ScoreOptions{}), 0);
  ASSERT_THAT(summaries, SizeIs(1));
  EXPECT_EQ(summaries[0].problems, 5);
  EXPECT_EQ(summaries[0].correct, 3);
  EXPECT_EQ(summaries[0].incorrect, 2);
  EXPECT_THAT(summaries[0].successes, ElementsAre(3, 3, 0, 0, 0)) << "P > 2 is strict";
  EXPECT_NEAR(*summaries[0].geometric_mean, 2.0, 1e-12);
  EXPECT_EQ(summaries[0].geometric_problems, 3);
}

TEST(Summary, PlannedProblemsWithoutARecordStayInTheDenominator) {
  const auto summaries = summarize(scores({scored("a", "file:x", 2)}, ScoreOptions{}), 4);
  EXPECT_EQ(summaries.at(0).problems, 4);
  EXPECT_EQ(summaries.at(0).without_record, 3);
}

TEST(Summary, ProblemsThatOnlyOthersHaveStayInTheDenominator) {
  const auto summaries = summarize(scores({scored("a", "file:x", 2), scored("b", "reference", 1)}, ScoreOptions{}), 0);
  ASSERT_THAT(summaries, SizeIs(1)) << "references are no authors";
  EXPECT_EQ(summaries[0].problems, 2);
  EXPECT_EQ(summaries[0].without_record, 1);
}

TEST(Summary, ABaselineIsMeasuredByWhatItsLibraryOffers) {
  const auto summaries = summarize(scores({scored("a", "baseline:l", 2), scored("b", "file:x", 1)}, ScoreOptions{}), 9);
  EXPECT_EQ(summaries.at(0).origin, "baseline:l");
  EXPECT_EQ(summaries.at(0).problems, 1);
  EXPECT_EQ(summaries.at(1).problems, 9);
}

TEST(Summary, PartialProblemsAreNoSuccess) {
  std::vector<Evaluation> list{scored("a", "file:x", 8), failed(passed("a", 1, "file:x", 1), Verdict::skipped, "too large")};
  const auto summaries = summarize(scores(list, ScoreOptions{}), 0);
  EXPECT_EQ(summaries.at(0).partial, 1);
  EXPECT_EQ(summaries.at(0).correct, 0);
  EXPECT_THAT(summaries.at(0).successes, ElementsAre(0, 0, 0, 0, 0));
  EXPECT_FALSE(summaries.at(0).geometric_mean);
}

TEST(Summary, CountsEachThresholdAndTheGeometricMean) {
  std::vector<Evaluation> list;
  const double speedups[] = {0.5, 1, 1.5, 3, 5, 9};
  for (int i = 0; i < 6; ++i) {
    list.push_back(scored(std::string(1, static_cast<char>('a' + i)), "file:x", speedups[i], i < 2 ? 0.1 : 0.001));
  }
  const auto summaries = summarize(scores(list, ScoreOptions{}), 0);
  EXPECT_THAT(summaries.at(0).successes, ElementsAre(6, 4, 3, 2, 1));
  EXPECT_NEAR(*summaries.at(0).geometric_mean, std::pow(0.5 * 1 * 1.5 * 3 * 5 * 9, 1.0 / 6), 1e-12);
  EXPECT_EQ(summaries.at(0).timed_cases, 6);
  EXPECT_EQ(summaries.at(0).undecided_cases, 2);
}

TEST(Summary, OfAnAuthorsAttemptsTheLastCounts) {
  std::vector<Evaluation> list{scored("a", "optimizer:o#9", 4), scored("a", "optimizer:o#10", 3)};
  const auto summaries = summarize(scores(list, ScoreOptions{}), 0);
  ASSERT_THAT(summaries, SizeIs(1));
  EXPECT_EQ(summaries[0].origin, "optimizer:o");
  EXPECT_NEAR(*summaries[0].geometric_mean, 3, 1e-12);
}

TEST(Summary, GivesTheGeometricMeanOfTheRatiosToTheBestBaseline) {
  std::vector<Evaluation> list;
  for (const auto& [task, baseline_us] : std::map<std::string, double>{{"a", 8}, {"b", 0.5}}) {
    list.push_back(timed(passed(task, 0, "file:x", 2), "span", 1, 2));
    list.push_back(timed(passed(task, 0, "baseline:l", 2), "span", baseline_us, 1));
  }
  list.push_back(scored("c", "file:x", 2));
  const auto summaries = summarize(scores(list, ScoreOptions{}), 0);
  EXPECT_FALSE(summaries.at(0).baseline_ratio) << "a baseline is not compared with itself";
  EXPECT_NEAR(*summaries.at(1).baseline_ratio, 2, 1e-12);  // sqrt(8 * 0.5)
  EXPECT_EQ(summaries.at(1).baseline_problems, 2);
}

}  // namespace
}  // namespace mskb
