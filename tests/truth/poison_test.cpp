#include "truth/poison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "truth/compare.hpp"

namespace mskb::truth {

namespace {

constexpr std::uint64_t n = 20000;

TEST(Poison, NansAreQuietAndVary) {
  std::set<std::uint32_t> patterns;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t bits = poison_element(wire::Poison::nan, 1, i, ElementType::f32);
    EXPECT_TRUE(is_nan(decode_bits(bits, ElementType::f32)));
    EXPECT_NE(bits & 0x00400000u, 0u);
    patterns.insert(bits);
    EXPECT_TRUE(is_nan(decode_bits(poison_element(wire::Poison::nan, 1, i, ElementType::bf16), ElementType::bf16)));
  }
  EXPECT_GT(patterns.size(), n - 100);
}

TEST(Poison, FiniteValuesLookOrdinary) {
  for (const ElementType type : {ElementType::f32, ElementType::bf16}) {
    double mean = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const double value = decode_bits(poison_element(wire::Poison::finite, 1, i, type), type);
      EXPECT_GE(std::fabs(value), 0.5);
      EXPECT_LT(std::fabs(value), 4);
      mean += value / n;
    }
    EXPECT_NEAR(mean, 0, 0.05);
  }
}

TEST(Poison, LargeValuesAreFinite) {
  for (const ElementType type : {ElementType::f32, ElementType::bf16}) {
    for (std::uint64_t i = 0; i < n; ++i) {
      const double value = decode_bits(poison_element(wire::Poison::large, 1, i, type), type);
      EXPECT_TRUE(is_finite(value));
      EXPECT_GT(std::fabs(value), 1e37);
    }
  }
}

TEST(Poison, IntegersAreFarOffOrOrdinary) {
  for (std::uint64_t i = 0; i < n; ++i) {
    EXPECT_LT(decode_bits(poison_element(wire::Poison::nan, 1, i, ElementType::i32), ElementType::i32), -2e9);
    EXPECT_GT(decode_bits(poison_element(wire::Poison::large, 1, i, ElementType::i32), ElementType::i32), 2e9);
    EXPECT_LT(poison_element(wire::Poison::finite, 1, i, ElementType::i32), 1024u);
  }
}

TEST(Poison, ChangesWithTheKey) {
  int equal = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    equal += poison_element(wire::Poison::finite, 1, i, ElementType::f32) ==
             poison_element(wire::Poison::finite, 2, i, ElementType::f32);
  }
  EXPECT_LT(equal, 5);
}

}  // namespace

}  // namespace mskb::truth
