#include "base/bf16.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mskb {
namespace {

float through_bf16(float value) { return float_from_bf16(bf16_from_float(value)); }

TEST(Bf16, RoundsToNearestEven) {
  EXPECT_EQ(through_bf16(1 + 0x1p-8f), 1.0f);              // a tie, to the even neighbour below
  EXPECT_EQ(through_bf16(1 + 0x3p-8f), 1 + 0x2p-7f);       // a tie, to the even neighbour above
  EXPECT_EQ(through_bf16(1 + 0x1p-8f + 0x1p-20f), 1 + 0x1p-7f);
  EXPECT_EQ(through_bf16(-257.0f), -256.0f);
}

TEST(Bf16, KeepsWhatItCanHold) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = float_from_bf16(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value)) {
      ASSERT_EQ(bf16_from_float(value), bits);
    }
  }
}

TEST(Bf16, KeepsInfinityAndNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(through_bf16(infinity), infinity);
  EXPECT_EQ(through_bf16(std::numeric_limits<float>::max()), infinity);
  EXPECT_TRUE(std::isnan(through_bf16(float_from_bits(0x7f800001u))));
}

TEST(Tf32, KeepsTenBitsAndRoundsTiesAway) {
  EXPECT_EQ(tf32_from_float(1 + 0x1p-10f), 1 + 0x1p-10f);
  EXPECT_EQ(tf32_from_float(1 + 0x1p-11f), 1 + 0x1p-10f);
  EXPECT_EQ(tf32_from_float(1 + 0x1p-12f), 1.0f);
  EXPECT_EQ(tf32_from_float(-1 - 0x1p-11f), -1 - 0x1p-10f);
  EXPECT_EQ(tf32_from_float(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace mskb
