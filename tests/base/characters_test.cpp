#include "base/characters.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

TEST(Characters, AreCountedWhole) {
  EXPECT_EQ(first_characters("a\xC3\xA4\xE2\x86\x92" "b", 3), "a\xC3\xA4\xE2\x86\x92");
  EXPECT_EQ(first_characters("a\xC3\xA4", 1), "a");
  EXPECT_EQ(first_characters("ab", 5), "ab");
  EXPECT_EQ(first_characters("\xFF\xC3", 2), "\xFF\xC3");
  EXPECT_EQ(first_characters("", 2), "");
}

TEST(Characters, KnowWhatCannotBeShown) {
  for (const std::uint32_t code : {0x00u, 0x1Bu, 0x7Fu, 0x85u, 0x200Bu, 0x202Eu, 0x2066u, 0xFEFFu, 0xE0001u}) {
    EXPECT_TRUE(cannot_be_shown(code)) << code;
  }
  for (const std::uint32_t code : {0x09u, 0x0Au, 0x20u, 0xE4u, 0x2192u, 0x1F680u}) {
    EXPECT_FALSE(cannot_be_shown(code)) << code;
  }
}

}  // namespace
}  // namespace mskb
