#include "base/counted.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "case"), "0 cases");
  EXPECT_EQ(counted(1u, "case"), "1 case");
  EXPECT_EQ(counted(2, "case"), "2 cases");
  EXPECT_EQ(counted(1, "thing does not hold", "things do not hold"), "1 thing does not hold");
  EXPECT_EQ(counted(12, "thing does not hold", "things do not hold"), "12 things do not hold");
}

}  // namespace
}  // namespace mskb
