#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "candidate.hpp"

namespace mskb::simt {
namespace {

class Numbers : public ::testing::Test {
 protected:
  static const testing::Candidate& numbers() {
    static const testing::Candidate candidate("numbers");
    return candidate;
  }
};

// Nearest even in the plainest way: try both neighbours.
std::uint16_t nearest_bf16(double x) {
  const auto value = [](std::uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits << 16)); };
  const std::uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(x);
  std::uint32_t low = 0, high = 0x7F80;  // value(low) <= magnitude < value(high)
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (value(middle) <= magnitude ? low : high) = middle;
  }
  const double above = high == 0x7F80 ? std::ldexp(1.0, 128) : value(high);
  const double to_low = magnitude - value(low), to_high = above - magnitude;
  const bool up = to_high < to_low || (to_high == to_low && (low & 1) != 0);
  return static_cast<std::uint16_t>(sign | (up ? high : low));
}

TEST_F(Numbers, Bf16RoundsToNearestEven) {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(x)) continue;
    ASSERT_EQ(numbers().call<std::uint16_t>("bf16_of_float", x), nearest_bf16(x)) << std::hexfloat << x;
    const double between = static_cast<double>(x) * (1 + 0x1p-40 * (static_cast<int>(random() % 3) - 1));
    ASSERT_EQ(numbers().call<std::uint16_t>("bf16_of_double", between), nearest_bf16(between))
        << std::hexfloat << between;
  }
  EXPECT_EQ(numbers().call<std::uint16_t>("bf16_of_float", 1.00390625F), 0x3F80);  // halfway, down to even
  EXPECT_EQ(numbers().call<std::uint16_t>("bf16_of_float", 1.01171875F), 0x3F82);  // halfway, up to even
  EXPECT_EQ(numbers().call<std::uint16_t>("bf16_of_double", 1.00390625 + 1e-12),
            0x3F81);  // a float in between would hide this
  EXPECT_EQ(numbers().call<std::uint16_t>("bf16_of_float", std::numeric_limits<float>::max()), 0x7F80);
}

TEST_F(Numbers, NotANumberStaysOne) {
  for (const std::uint32_t bits : {0x7FC00000U, 0x7F800001U, 0xFF800001U, 0x7FFFFFFFU}) {
    const auto nan = std::bit_cast<float>(bits);
    EXPECT_TRUE(
        std::isnan(numbers().call<float>("float_of_bf16", numbers().call<std::uint16_t>("bf16_of_float", nan))));
    EXPECT_TRUE(
        std::isnan(numbers().call<float>("float_of_half", numbers().call<std::uint16_t>("half_of_float", nan))));
  }
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(numbers().call<std::uint16_t>("bf16_of_float", -infinity), 0xFF80);
  EXPECT_EQ(numbers().call<std::uint16_t>("half_of_float", infinity), 0x7C00);
}

TEST_F(Numbers, HalfAgreesWithTheCompilersOwn) {
  std::mt19937 random(6);
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto x = numbers().call<float>("float_of_half", static_cast<std::uint16_t>(bits));
    if (std::isnan(x)) continue;
    ASSERT_EQ(numbers().call<std::uint16_t>("half_of_float", x), bits);
    const float near = x * (1 + 0x1p-11F * static_cast<float>(random() % 5));
    ASSERT_EQ(numbers().call<std::uint16_t>("half_of_float", near),
              numbers().call<std::uint16_t>("compiler_half_of_float", near))
        << std::hexfloat << near;
    const double between = static_cast<double>(near) * (1 + 0x1p-40);
    ASSERT_EQ(numbers().call<std::uint16_t>("half_of_double", between),
              numbers().call<std::uint16_t>("compiler_half_of_double", between))
        << std::hexfloat << between;
  }
}

TEST_F(Numbers, ArithmeticRoundsAfterEachStepAndFmaOnce) {
  // 1.0078125^2 = 1.01568603515625 rounds to 1.015625, so the two forms differ.
  const float a = 1.0078125F;
  EXPECT_EQ(numbers().call<float>("bf16_two_steps", a, a, -1.015625F), 0.0F);
  EXPECT_EQ(numbers().call<float>("bf16_fma", a, a, -1.015625F), 0.00006103515625F);
  EXPECT_EQ(numbers().call<float>("bf16_pair", 2.0F, 3.0F), 3004.0F);
}

TEST_F(Numbers, IntegerIntrinsics) { EXPECT_EQ(numbers().call<int>("integer_intrinsics"), 0); }

TEST_F(Numbers, SizesAndAlignments) { EXPECT_EQ(numbers().call<int>("sizes"), 0); }

TEST_F(Numbers, Mathematics) {
  const auto math = [](int which, float x) { return numbers().call<float>("math", which, x); };
  EXPECT_FLOAT_EQ(math(0, 1.0F), std::exp(1.0F));
  EXPECT_FLOAT_EQ(math(1, 16.0F), 0.25F);
  EXPECT_EQ(math(2, 1.0F), 0.0F);
  EXPECT_EQ(math(2, -2.5F), -1.0F);
  EXPECT_EQ(math(3, 0.5F), 0.0F);
  EXPECT_EQ(math(3, 1e6F + 1), -1.0F);
  EXPECT_NEAR(math(2, 1.0F / 6), 0.5F, 1e-7F);
  EXPECT_FLOAT_EQ(math(4, 8.0F), 0.125F);
  EXPECT_NEAR(math(5, 0.7F), 0.7F, 1e-6F);
  EXPECT_EQ(math(6, -3.0F), 0.0F);
  EXPECT_EQ(math(6, 3.0F), 1.0F);
  EXPECT_FLOAT_EQ(math(7, 0.0F), 0.5F);
}

}  // namespace
}  // namespace mskb::simt
