#include "evaluate/clock_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mskb::test {

namespace {

// A clock that shows these values one after the other, and the last one from then on.
struct Shown {
  std::vector<double> values;
  std::size_t asked = 0;
  ClockWatch watch() {
    return ClockWatch([this] { return values[std::min(asked++, values.size() - 1)]; });
  }
};

TEST(ClockWatch, WaitsUntilTheClockIsSteady) {
  Shown shown{{300, 900, 1500, 1900, 1975, 1980, 1978}};
  shown.watch().settle();
  EXPECT_EQ(shown.asked, 7u);
}

TEST(ClockWatch, GivesUpWaitingForAClockThatWanders) {
  Shown shown;
  for (int i = 0; i < 100; ++i) {
    shown.values.push_back(i % 2 == 0 ? 1980 : 1500);
  }
  shown.watch().settle();
  EXPECT_EQ(shown.asked, 40u);
}

TEST(ClockWatch, CountsRoundsOfASteadyClock) {
  Shown shown{{1980, 1980, 1980, 1970, 1965, 1980}};
  ClockWatch watch = shown.watch();
  watch.settle();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(watch.round_counts());
  }
  EXPECT_EQ(watch.median_mhz(), 1970);
  EXPECT_EQ(watch.dropped(), 0);
  EXPECT_FALSE(watch.unsteady());
}

TEST(ClockWatch, DropsARoundInWhichTheClockFellAndTheOneThatBeginsLow) {
  // Three to settle, a round that ends low, three to settle low, a round that is low from its beginning, three to settle high, a good round.
  Shown shown{{1980, 1980, 1980, 1400, 1400, 1400, 1400, 1980, 1980, 1980, 1980, 1980}};
  ClockWatch watch = shown.watch();
  watch.settle();
  EXPECT_FALSE(watch.round_counts());
  EXPECT_FALSE(watch.round_counts());
  EXPECT_TRUE(watch.round_counts());
  EXPECT_EQ(watch.dropped(), 2);
  EXPECT_FALSE(watch.unsteady());
  EXPECT_EQ(watch.median_mhz(), 1980);
}

TEST(ClockWatch, KeepsRoundsOfAClockThatStaysLowAfterEight) {
  Shown shown{{1980, 1980, 1980, 1400}};
  ClockWatch watch = shown.watch();
  watch.settle();
  for (int i = 0; i < ClockWatch::most_dropped; ++i) {
    EXPECT_FALSE(watch.round_counts());
  }
  EXPECT_TRUE(watch.round_counts());
  EXPECT_TRUE(watch.unsteady());
  EXPECT_EQ(watch.dropped(), 8);
  EXPECT_EQ(watch.median_mhz(), 1400);
}

TEST(ClockWatch, CountsEveryRoundWhereThereIsNoClock) {
  Shown shown{{0}};
  ClockWatch watch = shown.watch();
  watch.settle();
  EXPECT_EQ(shown.asked, 1u);
  EXPECT_TRUE(watch.round_counts());
  EXPECT_EQ(watch.median_mhz(), 0);
  EXPECT_FALSE(watch.unsteady());
}

}  // namespace

}  // namespace mskb::test
