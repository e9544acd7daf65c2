#include "truth/sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mskb::truth {

namespace {

struct Terms {
  std::vector<double> term;
};
struct NoStages {};

struct Plain {
  static std::int64_t terms(const auto& x, std::int64_t) { return static_cast<std::int64_t>(x.term.size()); }
  static double term(const auto& x, const auto&, std::int64_t, std::int64_t j) {
    return x.term[static_cast<std::size_t>(j)];
  }
};

struct Scaled : Plain {
  static double finish(const auto&, const auto&, std::int64_t, double sum) { return -3 * sum; }
  static double scale(const auto&, const auto&, std::int64_t) { return -3; }
};

struct Mean : Plain {
  static double finish(const auto& x, const auto&, std::int64_t, double sum) { return sum / static_cast<double>(x.term.size()); }
};

struct Shifted : Plain {
  static double finish(const auto&, const auto&, std::int64_t, double sum) { return 1000 + sum; }
};

struct Exponential : Plain {
  static double finish(const auto&, const auto&, std::int64_t, double sum) { return std::exp(sum); }
};

double sum(const std::vector<double>& terms, Arithmetic arithmetic) {
  return host_sum<Plain>(Terms{terms}, NoStages{}, 0, arithmetic).want;
}

constexpr Arithmetic all[] = {Arithmetic::exact,        Arithmetic::forward_fp32, Arithmetic::blocked_fp32,
                              Arithmetic::strided_fp32, Arithmetic::dropped_term, Arithmetic::bf16_accumulate};

TEST(Sums, NoTermsAreZero) {
  for (const Arithmetic arithmetic : all) {
    EXPECT_EQ(sum({}, arithmetic), 0);
  }
}

TEST(Sums, SmallIntegersAreExactInEveryOrder) {
  std::vector<double> terms;
  for (int i = 0; i < 1000; ++i) {
    terms.push_back(i % 5 - 1);
  }
  for (const Arithmetic arithmetic :
       {Arithmetic::exact, Arithmetic::forward_fp32, Arithmetic::blocked_fp32, Arithmetic::strided_fp32}) {
    EXPECT_EQ(sum(terms, arithmetic), 1000);
  }
  EXPECT_EQ(sum(terms, Arithmetic::dropped_term), 997);
}

// 2^24 followed by ones: a running FP32 sum does not move, partial sums do.
TEST(Sums, OrdersDiffer) {
  std::vector<double> terms(513, 1.0);
  terms[0] = 16777216;
  EXPECT_EQ(sum(terms, Arithmetic::exact), 16777216 + 512);
  EXPECT_EQ(sum(terms, Arithmetic::forward_fp32), 16777216);
  EXPECT_EQ(sum(terms, Arithmetic::blocked_fp32), 16777216 + 256)
      << "the last block holds one term, which is lost as a tie to even";
  EXPECT_EQ(sum(terms, Arithmetic::strided_fp32), 16777216 + 496)
      << "16 of the ones share a partial sum with the large term";
}

TEST(Sums, Bf16Accumulation) {
  const std::vector<double> terms(1000, 1.0);
  EXPECT_EQ(sum(terms, Arithmetic::bf16_accumulate), 256) << "256 + 1 is a tie to even in 8 bits";
}

TEST(Sums, MagnitudeAndFinish) {
  const Value value = host_sum<Scaled>(Terms{{1, -2, 4}}, NoStages{}, 0, Arithmetic::exact);
  EXPECT_EQ(value.want, -9);
  EXPECT_EQ(value.magnitude, 21);
}

TEST(Sums, TheMagnitudeGoesThroughFinishWhereNoSlopeIsStated) {
  const Terms terms{{1, -2, 5}};
  EXPECT_NEAR(host_sum<Mean>(terms, NoStages{}, 0, Arithmetic::exact).magnitude, 8.0 / 3, 1e-6);
  EXPECT_NEAR(host_sum<Shifted>(terms, NoStages{}, 0, Arithmetic::exact).magnitude, 8, 1e-6);
  EXPECT_NEAR(host_sum<Exponential>(Terms{{4, 4}}, NoStages{}, 0, Arithmetic::exact).magnitude, 8 * std::exp(8.0), 5) << "its slope where it is, not further on";
}

TEST(Sums, HonestArithmeticStoresStagesInFp32) {
  EXPECT_EQ(stored(0.1, Arithmetic::exact), 0.1);
  EXPECT_EQ(stored(0.1, Arithmetic::blocked_fp32), static_cast<double>(0.1f));
  EXPECT_EQ(stored(2147483647.0, Arithmetic::forward_fp32), 2147483647.0) << "integers may be indices";
}

}  // namespace

}  // namespace mskb::truth
