#include "report/escape.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

TEST(Escape, HtmlLatexAndCsv) {
  EXPECT_EQ(escape_html("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
  EXPECT_EQ(escape_latex("50 % of a_b & {c}\\"), "50 \\% of a\\_b \\& \\{c\\}\\textbackslash{}");
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
  EXPECT_EQ(csv_cell("#5"), "\"#5\"");
}

}  // namespace
}  // namespace mskb
