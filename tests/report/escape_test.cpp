#include "report/escape.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

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

TEST(Escape, HtmlLatexAndCsv) {
  EXPECT_EQ(escape_html("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
  EXPECT_EQ(escape_latex("50 % of a_b & {c}\\"), "50 \\% of a\\_b \\& \\{c\\}\\textbackslash{}");
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
  EXPECT_EQ(csv_cell("#5"), "\"#5\"");
}

}  // namespace
}  // namespace mskb
