#include "report/text_diff.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

TEST(TextDiff, ShowsChangedLinesWithThreeAround) {
  EXPECT_EQ(text_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "@@ -2 +2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(TextDiff, FarChangesAreTwoHunks) {
  EXPECT_EQ(text_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\nb\nc\n"),
            "@@ -1 +1 @@\n-a\n 1\n 2\n 3\n@@ -7 +6 @@\n 6\n 7\n b\n+c\n");
}

TEST(TextDiff, EqualTextsDoNotDiffer) {
  EXPECT_EQ(text_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(text_diff("", ""), "");
}

TEST(TextDiff, FromAndToNothing) {
  EXPECT_EQ(text_diff("", "a\n"), "@@ -1 +1 @@\n+a\n");
  EXPECT_EQ(text_diff("a\n", ""), "@@ -1 +1 @@\n-a\n");
}

TEST(TextDiff, TextsTooLongToCompareAreReplaced) {
  std::string before, after;
  for (int i = 0; i < 3000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const std::string diff = text_diff(before, after);
  EXPECT_NE(diff.find("-a2999\n+b0\n"), std::string::npos);
}

}  // namespace
}  // namespace mskb
