#include "report/figures.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

TEST(Figures, RatiosKeepThreeDigitsOrMore) {
  EXPECT_EQ(ratio_text(0), "0.00");
  EXPECT_EQ(ratio_text(2.345), "2.35");
  EXPECT_EQ(ratio_text(46.83), "46.83");
  EXPECT_EQ(ratio_text(99.951), "100.0");
  EXPECT_EQ(ratio_text(999.6), "1000");
}

TEST(Figures, TimesHaveFourDigits) {
  EXPECT_EQ(time_text(std::nullopt), "-");
  EXPECT_EQ(time_text(1.23456), "1.235");
  EXPECT_EQ(time_text(9.9996), "10.00");
  EXPECT_EQ(time_text(123.456), "123.5");
  EXPECT_EQ(time_text(123456.7), "123457");
}

TEST(Figures, IntervalsAndShares) {
  EXPECT_EQ(interval_text(2, 2), "-");
  EXPECT_EQ(interval_text(1.99, 2.011), "1.99-2.01");
  EXPECT_EQ(share_text(0.614), "61%");
  EXPECT_EQ(share_text(std::nullopt), "-");
}

TEST(Figures, RoundsToSixDigits) {
  EXPECT_EQ(rounded(1.0 / 3), 0.333333);
  EXPECT_EQ(rounded(123456789.0), 123457000.0);
  EXPECT_EQ(rounded(0), 0);
}

}  // namespace
}  // namespace mskb
