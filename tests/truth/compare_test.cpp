#include "truth/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace mskb::truth {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

constexpr Acceptance exact{AcceptKind::exact, 0, 0, 0, 0, 0};
constexpr Acceptance close{AcceptKind::elementwise, 0, 1e-3, 1e-3, 0, 0};
constexpr Acceptance norms{AcceptKind::normwise, 0, 0, 0, 1e-3, 1e-2};

wire::OutputFindings judge(const std::vector<float>& got, const std::vector<Value>& truth, const Acceptance& accept) {
  const OutputRequest request{1, got.data(), got.size(), nullptr, accept, 42, wire::Poison::nan};
  OutputTally tally = empty_tally();
  for (std::size_t i = 0; i < got.size(); ++i) {
    tally_element(tally, request, ElementType::f32, i, truth[i]);
  }
  return conclude(tally, accept);
}

// One float against one wanted value whose magnitude is its own.
bool accepted(double got, double want, const Acceptance& accept) {
  return judge({static_cast<float>(got)}, {{want, std::fabs(want)}}, accept).refused == 0;
}

TEST(Compare, NaNAndInfinityUnderEveryKind) {
  for (const Acceptance& accept : {exact, close, norms}) {
    EXPECT_FALSE(accepted(5, nan, accept));
    EXPECT_FALSE(accepted(nan, 5, accept));
    EXPECT_TRUE(accepted(nan, nan, accept));
    EXPECT_FALSE(accepted(infinity, -infinity, accept));
    EXPECT_FALSE(accepted(-infinity, infinity, accept));
    EXPECT_TRUE(accepted(infinity, infinity, accept));
    EXPECT_TRUE(accepted(-infinity, -infinity, accept));
    EXPECT_FALSE(accepted(infinity, 3e38, accept));
    EXPECT_FALSE(accepted(3e38, infinity, accept));
    EXPECT_FALSE(accepted(infinity, nan, accept));
    EXPECT_FALSE(accepted(nan, infinity, accept));
    EXPECT_TRUE(accepted(infinity, 4e38, accept)) << "4e38 is infinity in FP32";
    EXPECT_TRUE(accepted(0.0, -0.0, accept));
    EXPECT_TRUE(accepted(-0.0, 0.0, accept));
  }
}

TEST(Compare, ARefusedNonFiniteElementIsCountedAndHasNoRatio) {
  for (const Acceptance& accept : {exact, close, norms}) {
    const wire::OutputFindings found = judge({1, static_cast<float>(nan), 3}, {{1, 1}, {2, 2}, {3, 3}}, accept);
    EXPECT_EQ(found.refused, 1u);
    EXPECT_EQ(found.not_finite, 1u);
    EXPECT_EQ(found.first_refused, 1);
    EXPECT_EQ(found.want, 2);
    EXPECT_EQ(found.worst_ratio, no_finite_ratio);
    EXPECT_TRUE(is_finite(found.squared_error));
  }
}

TEST(Compare, ExactMeansTheRoundedValue) {
  EXPECT_TRUE(accepted(0.1f, 0.1, exact));
  EXPECT_FALSE(accepted(std::nextafter(0.1f, 1.0f), 0.1, exact));
}

TEST(Compare, ElementwiseTakesValueAndMagnitude) {
  const Acceptance value_only{AcceptKind::elementwise, 0, 1e-3, 0, 0, 0};
  EXPECT_TRUE(accepted(1.00099, 1, value_only));
  EXPECT_FALSE(accepted(1.0011, 1, value_only));
  const Acceptance magnitude_only{AcceptKind::elementwise, 0, 0, 1e-3, 0, 0};
  EXPECT_EQ(judge({0.099f}, {{0, 100}}, magnitude_only).refused, 0u);
  EXPECT_EQ(judge({0.101f}, {{0, 100}}, magnitude_only).refused, 1u);
  EXPECT_NEAR(judge({0.05f}, {{0, 100}}, magnitude_only).worst_ratio, 0.5, 1e-6);
}

TEST(Compare, ElementwiseAllowsFlushedSubnormals) {
  const Acceptance tight{AcceptKind::elementwise, 0, 1e-6, 0, 0, 0};
  EXPECT_TRUE(accepted(0, 1e-39, tight));
  EXPECT_FALSE(accepted(0, 1e-37, tight));
}

TEST(Compare, NormwiseIsDecidedOverAllElements) {
  std::vector<Value> truth(1000, Value{2, 2});
  std::vector<float> got(1000, 2.0f);
  EXPECT_EQ(judge(got, truth, norms).refused, 0u);
  got[7] = 2.019f;  // peak: within 1e-2 of the RMS; L2: far within
  EXPECT_EQ(judge(got, truth, norms).refused, 0u);
  EXPECT_NEAR(judge(got, truth, norms).worst_ratio, 0.95, 0.01);
  got[7] = 2.021f;
  EXPECT_EQ(judge(got, truth, norms).refused, 1u);
  EXPECT_EQ(judge(got, truth, norms).first_refused, 7);
  got.assign(1000, 2.0021f);  // peak within, L2 beyond
  EXPECT_EQ(judge(got, truth, norms).refused, 1u);
  got.assign(1000, 0.0f);
  EXPECT_EQ(judge(got, truth, norms).refused, 1u);
  EXPECT_EQ(judge({0, 0}, {{0, 0}, {0, 0}}, norms).refused, 0u);
  EXPECT_EQ(judge({0, 1e-20f}, {{0, 0}, {0, 0}}, norms).refused, 1u);
}

TEST(Compare, UnwrittenIsPoisonThatTruthRefuses) {
  const auto poison = float_from_bits(poison_element(wire::Poison::nan, 42, 1, ElementType::f32));
  for (const Acceptance& accept : {exact, close, norms}) {
    EXPECT_EQ(judge({1, poison}, {{1, 1}, {2, 2}}, accept).unwritten, 1u);
    EXPECT_EQ(judge({1, poison}, {{1, 1}, {nan, 2}}, accept).unwritten, 0u) << "here NaN is right";
    EXPECT_EQ(judge({poison, 2}, {{1, 1}, {2, 2}}, accept).unwritten, 0u) << "that pattern belongs to element 1";
  }
}

TEST(Compare, NormwiseCountsFinitePoisonThatWasLeft) {
  std::vector<float> got;
  for (std::uint64_t i = 0; i < 64; ++i) {
    got.push_back(float_from_bits(poison_element(wire::Poison::finite, 42, i, ElementType::f32)));
  }
  const OutputRequest request{1, got.data(), got.size(), nullptr, norms, 42, wire::Poison::finite};
  OutputTally tally = empty_tally();
  for (std::size_t i = 0; i < got.size(); ++i) {
    tally_element(tally, request, ElementType::f32, i, {100, 100});
  }
  EXPECT_EQ(conclude(tally, norms).unwritten, 64u);
}

TEST(Compare, MergingPiecesGivesTheWhole) {
  std::vector<float> got;
  std::vector<Value> truth;
  for (int i = 0; i < 100; ++i) {
    got.push_back(static_cast<float>(i % 7 == 3 ? i * 1.01 : i));
    truth.push_back({static_cast<double>(i), static_cast<double>(i)});
  }
  const OutputRequest request{1, got.data(), got.size(), nullptr, close, 42, wire::Poison::nan};
  OutputTally low = empty_tally(), high = empty_tally();
  for (std::size_t i = 0; i < 100; ++i) {
    tally_element(i < 50 ? low : high, request, ElementType::f32, i, truth[i]);
  }
  OutputTally a = low, b = high;
  merge(a, high);
  merge(b, low);
  const wire::OutputFindings whole = judge(got, truth, close);
  for (const OutputTally& tally : {a, b}) {
    const wire::OutputFindings found = conclude(tally, close);
    EXPECT_EQ(found.checked, whole.checked);
    EXPECT_EQ(found.refused, whole.refused);
    EXPECT_EQ(found.first_refused, 3);
    EXPECT_EQ(found.got, whole.got);
    EXPECT_EQ(found.worst_ratio, whole.worst_ratio);
    EXPECT_EQ(found.worst_absolute, whole.worst_absolute);
    EXPECT_NEAR(found.squared_error, whole.squared_error, 1e-12);
  }
}

TEST(Compare, EncodesToNearest) {
  EXPECT_EQ(encode_bits(2.5, ElementType::i32), 2u);
  EXPECT_EQ(encode_bits(3.5, ElementType::i32), 4u);
  EXPECT_EQ(encode_bits(-1, ElementType::i32), 0xffffffffu);
  EXPECT_EQ(encode_bits(1e20, ElementType::i32), 0x7fffffffu);
  EXPECT_EQ(encode_bits(-1e20, ElementType::i32), 0x80000000u);
  EXPECT_EQ(encode_bits(1, ElementType::bf16), 0x3f80u);
  EXPECT_EQ(encode_bits(1 + 1.0 / 256, ElementType::bf16), 0x3f80u) << "a tie goes to even";
  EXPECT_EQ(decode_bits(0xbf80u, ElementType::bf16), -1);
}

}  // namespace

}  // namespace mskb::truth
