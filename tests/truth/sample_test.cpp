#include "truth/sample.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace mskb::truth {

namespace {

TEST(Sample, EachStratumOnceAndAllInside) {
  const Sample sample{1000003, 4096, 7};
  for (std::uint64_t k = 0; k < sample.count(); ++k) {
    const std::uint64_t i = sample_index(sample, k);
    ASSERT_LT(i, sample.n);
    if (k < sample.strata) {
      EXPECT_EQ(i >= k * sample.n / sample.strata, true);
      EXPECT_LT(i, (k + 1) * sample.n / sample.strata);
    }
  }
}

TEST(Sample, IsUnpredictableWithoutTheKey) {
  const Sample one{1 << 24, 1024, 1}, other{1 << 24, 1024, 2};
  int equal = 0;
  for (std::uint64_t k = 0; k < one.strata; ++k) {
    equal += sample_index(one, k) == sample_index(other, k);
  }
  EXPECT_LT(equal, 5);
}

TEST(Sample, HoldsTheBorders) {
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1000}, std::uint64_t{1} << 20,
                                (std::uint64_t{1} << 31) - 1}) {
    std::set<std::uint64_t> borders;
    for (std::uint64_t k = 0; k < border_elements; ++k) {
      ASSERT_LT(border_index(k, n), n);
      borders.insert(border_index(k, n));
    }
    EXPECT_TRUE(borders.contains(0));
    EXPECT_TRUE(borders.contains(n - 1));
    if (n >= 1000) {
      for (const std::uint64_t i : {std::uint64_t{63}, n - 64, n / 2, n / 16, n / 16 - 1, std::uint64_t{511},
                                    std::uint64_t{512}, std::uint64_t{513}}) {
        EXPECT_TRUE(borders.contains(i)) << i << " of " << n;
      }
    }
  }
}

}  // namespace

}  // namespace mskb::truth
