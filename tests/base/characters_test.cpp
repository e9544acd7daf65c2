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

TEST(VisibleText, WritesOutWhatSteersOrCannotBeSeen) {
  EXPECT_EQ(visible_text("a\xE2\x80\xAE" "b"), "a[U+202E]b");           // right-to-left override
  EXPECT_EQ(visible_text("a\xE2\x81\xA6" "b"), "a[U+2066]b");           // isolate
  EXPECT_EQ(visible_text("a\xE2\x80\x8B" "b"), "a[U+200B]b");           // zero width space
  EXPECT_EQ(visible_text("\x1B[31mred"), "[U+001B][31mred");
  EXPECT_EQ(visible_text("\xF3\xA0\x80\x81"), "[U+E0001]");             // tag
  EXPECT_EQ(visible_text("line\r\nnext\tcolumn"), "line\nnext\tcolumn");
}

TEST(VisibleText, LeavesOrdinaryTextAndReplacesBrokenBytes) {
  EXPECT_EQ(visible_text("\xC3\xA4 \xE2\x86\x92 \xF0\x9F\x9A\x80"), "\xC3\xA4 \xE2\x86\x92 \xF0\x9F\x9A\x80");
  EXPECT_EQ(visible_text("a\xFF" "b\xC3"), "a\xEF\xBF\xBD" "b\xEF\xBF\xBD");
  EXPECT_EQ(visible_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");      // a longer form of '/'
}

TEST(VisibleText, OnOneLine) {
  EXPECT_EQ(visible_line("one\r\ntwo\tthree\x1B[2J\xE2\x80\xAE"), "one  two three[U+001B][2J[U+202E]");
}

}  // namespace
}  // namespace mskb
