// Stages that are sorted, and sums whose number of terms a stage knows.
#include <gtest/gtest.h>

#include <vector>

#include "truth/module_cpu.hpp"

namespace {

struct Case {
  mskb::truth::Reader bin, weight;
  std::int64_t n, bins;
  explicit Case(const mskb::truth::View& view)
      : bin(view, 0), weight(view, 1), n(static_cast<std::int64_t>(view.spec.dims[0])),
        bins(static_cast<std::int64_t>(view.spec.dims[1])) {}
};

// bin * n + item, ascending
struct by_bin {
  static constexpr bool ascending = true;
  static std::int64_t size(const auto& x) { return x.n; }
  static double value(const auto& x, const auto&, std::int64_t i) {
    return x.bin[i] * static_cast<double>(x.n) + static_cast<double>(i);
  }
};

// Where a bin begins in by_bin.
struct begin {
  static std::int64_t size(const auto& x) { return x.bins + 1; }
  static double value(const auto& x, const auto& s, std::int64_t bin) {
    std::int64_t at = 0;
    while (at < x.n && s(by_bin{}, at) < static_cast<double>(bin * x.n)) ++at;
    return static_cast<double>(at);
  }
};

struct total {
  static std::int64_t terms(const auto&, const auto& s, std::int64_t i) {
    return static_cast<std::int64_t>(s(begin{}, i + 1) - s(begin{}, i));
  }
  static double term(const auto& x, const auto& s, std::int64_t i, std::int64_t j) {
    return x.weight[static_cast<std::int64_t>(s(by_bin{}, static_cast<std::int64_t>(s(begin{}, i)) + j)) % x.n];
  }
};

}  // namespace

MSKB_TASK_OUTPUT(total, 2)

namespace mskb::truth {

namespace {

using Tested = TaskModule<HostSide, Case, List<by_bin, begin>, List<total>>;

TEST(Stages, AscendingStagesAndCountsThatStagesKnow) {
  const std::vector<std::int32_t> bin = {3, 0, 3, 1, 3, 0};
  const std::vector<float> weight = {1, -2, 4, -8, 16, 32};
  View view{};
  view.spec.dims[0] = 6;
  view.spec.dims[1] = 4;
  view.spec.arguments[0].type = ElementType::i32;
  view.contents[0] = bin.data();
  view.contents[1] = weight.data();
  std::vector<double> stages(Tested::stage_count(view));
  view.stages = stages.data();
  ASSERT_EQ(Tested::fill_stages(view, nullptr), 0);
  EXPECT_EQ(stages, (std::vector<double>{1, 5, 9, 18, 20, 22, 0, 2, 3, 3, 6}));

  double want[4], magnitude[4];
  ASSERT_EQ(Tested::want(view, 2, 4, nullptr, want, magnitude, nullptr), 0);
  EXPECT_EQ(std::vector<double>(want, want + 4), (std::vector<double>{30, -8, 0, 21}));
  EXPECT_EQ(std::vector<double>(magnitude, magnitude + 4), (std::vector<double>{34, 8, 0, 21}));
  EXPECT_EQ(Tested::has_sums(), 1);
  view.arithmetic = Arithmetic::dropped_term;
  ASSERT_EQ(Tested::want(view, 2, 4, nullptr, want, nullptr, nullptr), 0);
  EXPECT_EQ(std::vector<double>(want, want + 4), (std::vector<double>{-2, 0, 0, 5}));
}

}  // namespace

}  // namespace mskb::truth
