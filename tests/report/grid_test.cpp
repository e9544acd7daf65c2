#include "report/grid.hpp"

#include <gmock/gmock.h>

namespace mskb {
namespace {

TEST(Grid, AlignsTextLeftAndFiguresRight) {
  Grid grid({{"name"}, {"us", true}, {"flags"}});
  grid.row({"a", "1.5", ""});
  grid.row({"longer", "10.25", "D"});
  EXPECT_EQ(grid.render(Format::text),
            "name       us  flags\n"
            "a         1.5\n"
            "longer  10.25  D\n");
}

TEST(Grid, CountsCharactersAndNotBytes) {
  Grid grid({{"name"}, {"us", true}});
  grid.row({"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", "1"});
  EXPECT_EQ(grid.render(Format::text), "name  us\n\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9   1\n");
}

TEST(Grid, NarrowsItsGapsBeforeItOverflowsThePage) {
  Grid grid({{"a"}, {"b"}, {"c"}});
  grid.row({std::string(58, 'a'), std::string(58, 'b'), "c"});
  const std::string text = grid.render(Format::text);
  EXPECT_EQ(text.substr(text.find('\n') + 1), std::string(58, 'a') + " " + std::string(58, 'b') + " c\n");
}

TEST(Grid, EscapesMarkdown) {
  Grid grid({{"na|me"}, {"us", true}});
  grid.row({"a_b|<c>", "1"});
  EXPECT_EQ(grid.render(Format::markdown),
            "| na\\|me | us |\n"
            "|---|---:|\n"
            "| a\\_b\\|\\<c> | 1 |\n");
}

}  // namespace
}  // namespace mskb
