#include "profile/otsu.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mskb {
namespace {

// The threshold that the definition gives: the split of the smallest summed variance within the two classes.
std::size_t by_definition(const std::vector<double>& counts) {
  std::size_t best = 0;
  double smallest = 0;
  for (std::size_t split = 1; split < counts.size(); ++split) {
    double within = 0, totals[2] = {0, 0};
    for (int upper = 0; upper < 2; ++upper) {
      const std::size_t begin = upper != 0 ? split : 0, end = upper != 0 ? counts.size() : split;
      double total = 0, mean = 0;
      for (std::size_t i = begin; i < end; ++i) {
        total += counts[i];
        mean += counts[i] * static_cast<double>(i);
      }
      mean = total > 0 ? mean / total : 0;
      for (std::size_t i = begin; i < end; ++i) {
        within += counts[i] * (static_cast<double>(i) - mean) * (static_cast<double>(i) - mean);
      }
      totals[upper] = total;
    }
    if (totals[0] > 0 && totals[1] > 0 && (best == 0 || within < smallest)) {
      best = split;
      smallest = within;
    }
  }
  return best;
}

TEST(Otsu, FindsTheSplitOfKnownHistograms) {
  const std::vector<double> six{8, 7, 2, 6, 9, 4};
  EXPECT_EQ(otsu_bin(six), 3.0);
  EXPECT_EQ(otsu_bin(std::vector<double>{1, 0, 0, 0, 1}), 2.5) << "any of 1 to 4 is as good";
  EXPECT_EQ(otsu_bin(std::vector<double>{5, 5}), 1.0);
}

TEST(Otsu, AgreesWithTheDefinition) {
  for (const std::vector<double>& counts :
       {std::vector<double>{8, 7, 2, 6, 9, 4}, {1, 4, 9, 3, 1, 2, 6, 7, 1}, {50, 20, 9, 4, 3, 2, 1, 1}, {0, 0, 3, 9, 1, 2, 12, 0}}) {
    EXPECT_EQ(otsu_bin(counts), static_cast<double>(by_definition(counts)));
  }
}

TEST(Otsu, HasNoThresholdForOneClass) {
  EXPECT_FALSE(otsu_bin(std::vector<double>{0, 7, 0}));
  EXPECT_FALSE(otsu_bin(std::vector<double>{}));
  EXPECT_FALSE(otsu_threshold(std::vector<double>{42.1, 42.9}));
}

TEST(Otsu, SeparatesTwoGroupsOfThroughputs) {
  const std::vector<double> values{2, 4, 5, 7, 9, 10, 55, 60, 62, 70, 81};
  const auto threshold = otsu_threshold(values);
  ASSERT_TRUE(threshold);
  EXPECT_GT(*threshold, 10);
  EXPECT_LT(*threshold, 55);
}

TEST(Otsu, CountsValuesAtAndBeyondTheEnds) { EXPECT_EQ(otsu_threshold(std::vector<double>{-1, 0, 100, 101}), 50); }

}  // namespace
}  // namespace mskb
