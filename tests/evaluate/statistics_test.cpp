#include "evaluate/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace mskb::test {

// Of the rounds' scatter alone.
IntervalRule scatter(int looks) { return {looks, 0}; }

TEST(Median, OfOddEvenAndEmpty) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(median({}), 0);
}

// Student's t for 3 degrees of freedom at 95 % is 3.182446 (any table); logs are 0, 0, ln 2, ln 2.
TEST(Speedup, IntervalIsStudentsOnTheLogs) {
  const SpeedupEstimate estimate = estimate_speedup({1, 1, 2, 2}, {1, 1, 1, 1}, scatter(1));
  const double log2 = std::log(2.0);
  const double error = std::sqrt(4 * (log2 / 2) * (log2 / 2) / 3 / 4);
  EXPECT_NEAR(estimate.value, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(std::log(estimate.high), log2 / 2 + 3.182446 * error, 1e-6);
  EXPECT_EQ(estimate.rounds, 4);
  EXPECT_EQ(estimate.verdict, "undecided");
}

TEST(Speedup, MoreLooksWidenTheInterval) {
  const std::vector<double> reference{10, 10.1, 9.9, 10, 10.05, 9.95, 10, 10.02}, candidate(8, 10);
  EXPECT_GT(half_width(estimate_speedup(reference, candidate, scatter(3))), half_width(estimate_speedup(reference, candidate, scatter(1))));
}

TEST(Speedup, VerdictsLeaveTheNoiseFloorWhole) {
  const auto of = [](double ratio) {
    std::vector<double> reference, candidate;
    for (int i = 0; i < 16; ++i) {
      reference.push_back(100 * ratio * (1 + 0.001 * (i % 3 - 1)));
      candidate.push_back(100);
    }
    return estimate_speedup(reference, candidate, scatter(3)).verdict;
  };
  EXPECT_EQ(of(1.05), "faster");
  EXPECT_EQ(of(1 / 1.05), "slower");
  EXPECT_EQ(of(1.0), "same");
}

TEST(Speedup, PairsWithoutATimeAreLeftOutAndNoneIsNoClaim) {
  EXPECT_EQ(estimate_speedup({1, 0, 2}, {1, 1, 2}, scatter(3)).rounds, 2);
  const SpeedupEstimate none = estimate_speedup({}, {}, scatter(3));
  EXPECT_EQ(none.rounds, 0);
  EXPECT_EQ(none.verdict, "undecided");
}

TEST(Generations, DifferWhenTheirMeansAreFurtherApartThanTheIntervalIsWide) {
  const auto differ = [](double second_process, double noise) {
    std::vector<double> reference, candidate;
    for (int i = 0; i < 16; ++i) {
      reference.push_back(100);
      candidate.push_back(100 * (i / 4 % 2 == 1 ? second_process : 1) * (1 + noise * (i % 3 - 1)));
    }
    return generations_differ(reference, candidate, {5, 4});
  };
  EXPECT_FALSE(differ(1, 0.01));
  EXPECT_FALSE(differ(1.002, 0.01));
  EXPECT_TRUE(differ(1.05, 0.001));
  EXPECT_FALSE(generations_differ({1, 1, 1, 1}, {1, 2, 1, 2}, {5, 4})) << "one process only";
}

// Means of the processes are 0 and ln 2, so that the error of their mean is half of that, whatever the scatter; Student's t for 7 degrees of freedom
// at 95 % is 2.364624 (any table).
TEST(Speedup, IntervalHoldsWhatTheProcessesDiffer) {
  const std::vector<double> reference{1, 1, 1, 1, 2, 2, 2, 2}, candidate(8, 1);
  const double log2 = std::log(2.0);
  const SpeedupEstimate estimate = estimate_speedup(reference, candidate, {.looks = 1, .rounds_per_generation = 4});
  EXPECT_NEAR(estimate.value, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(std::log(estimate.high), log2 / 2 + 2.364624 * log2 / 2, 1e-6);
  EXPECT_LT(half_width(estimate_speedup(reference, candidate, scatter(1))), half_width(estimate));
  // Where the scatter of rounds is the larger one, it counts.
  const std::vector<double> alternating{1, 2, 1, 2, 1, 2, 1, 2};
  EXPECT_DOUBLE_EQ(estimate_speedup(alternating, candidate, {.looks = 1, .rounds_per_generation = 4}).high,
                   estimate_speedup(alternating, candidate, scatter(1)).high);
}

// With processes that differ by a quarter of what rounds scatter: the interval of the scatter alone excludes the truth more often than it says.
TEST(Speedup, CoverageWhereProcessesDiffer) {
  std::mt19937_64 random(54321);
  std::normal_distribution<double> round(0, 0.02), process(0, 0.005);
  int excluded = 0, excluded_by_scatter = 0;
  constexpr int groups = 4000, rounds = 32;
  const auto excludes = [](const SpeedupEstimate& estimate) { return estimate.low > 1 || estimate.high < 1 ? 1 : 0; };
  for (int group = 0; group < groups; ++group) {
    const double of_process[2] = {process(random), process(random)};
    std::vector<double> reference(rounds, 1), candidate(rounds);
    for (int i = 0; i < rounds; ++i) {
      candidate[static_cast<std::size_t>(i)] = std::exp(round(random) + of_process[i / 4 % 2]);
    }
    excluded += excludes(estimate_speedup(reference, candidate, {.looks = 5, .rounds_per_generation = 4}));
    excluded_by_scatter += excludes(estimate_speedup(reference, candidate, scatter(5)));
  }
  EXPECT_GT(excluded_by_scatter, groups / 20);
  EXPECT_LT(excluded, groups / 20);
}

// The stated level holds: over many simulated groups of equal times the interval excludes 1 about as often as it says.
TEST(Speedup, CoverageOfTheInterval) {
  std::mt19937_64 random(12345);
  std::lognormal_distribution<double> noise(0, 0.02);
  int excluded = 0;
  constexpr int groups = 4000;
  for (int group = 0; group < groups; ++group) {
    std::vector<double> reference(8), candidate(8);
    for (int i = 0; i < 8; ++i) {
      reference[static_cast<std::size_t>(i)] = noise(random);
      candidate[static_cast<std::size_t>(i)] = noise(random);
    }
    const SpeedupEstimate estimate = estimate_speedup(reference, candidate, scatter(1));
    excluded += estimate.low > 1 || estimate.high < 1 ? 1 : 0;
  }
  EXPECT_GT(excluded, groups / 40);
  EXPECT_LT(excluded, groups / 12);
}

}  // namespace mskb::test
