#include "optimize/line_buffer.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

TEST(LineBuffer, GivesWholeLinesWhereverTheChunksEnd) {
  LineBuffer buffer(100);
  buffer.add("on");
  EXPECT_EQ(buffer.take(), std::nullopt);
  buffer.add("e\ntwo\r\n\nre");
  EXPECT_EQ(buffer.take(), "one");
  EXPECT_EQ(buffer.take(), "two");
  EXPECT_EQ(buffer.take(), "");
  EXPECT_EQ(buffer.take(), std::nullopt);
  EXPECT_EQ(buffer.take_rest(), "re");
  EXPECT_EQ(buffer.size(), 0u);
}

TEST(LineBuffer, TellsALineThatIsTooLongWithAndWithoutItsNewline) {
  LineBuffer buffer(4);
  buffer.add("1234");
  EXPECT_FALSE(buffer.too_long());
  buffer.add("5");
  EXPECT_TRUE(buffer.too_long());
  LineBuffer ended(4);
  ended.add("1234\n123456\n");
  EXPECT_FALSE(ended.too_long());
  EXPECT_EQ(ended.take(), "1234");
  EXPECT_TRUE(ended.too_long());
}

TEST(LineBuffer, ManyLinesDoNotPileUp) {
  LineBuffer buffer(100);
  for (int i = 0; i < 10000; ++i) {
    buffer.add("line " + std::to_string(i) + "\n");
    ASSERT_EQ(buffer.take(), "line " + std::to_string(i));
    ASSERT_EQ(buffer.size(), 0u);
  }
}

}  // namespace
}  // namespace mskb
