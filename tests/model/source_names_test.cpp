#include "model/source_names.hpp"

#include <gmock/gmock.h>

namespace mskb {
namespace {

using ::testing::HasSubstr;

std::string fault(const std::string& name) { return find_name_fault({{name, ""}, {"kernel.cu", ""}}).value_or(""); }

TEST(SourceNames, OrdinaryOnesPass) {
  for (const char* name : {"kernel.cu", "parts/tile.cuh", "K.cu", "-o.cu", "parts/candidate.yaml", "\xC3\xA4 b.cuh", "kernel.cuh/x"}) {
    EXPECT_EQ(fault(name), "") << name;
  }
}

TEST(SourceNames, StayInside) {
  for (const char* name : {"", ".", "..", "../a", "/a", "./a", "a/", "a//b", "a/../b", "a/.."}) {
    EXPECT_THAT(fault(name), HasSubstr("not a relative path inside")) << name;
  }
}

TEST(SourceNames, CanBeWrittenAndRead) {
  for (const char* name : {"a\xFF", "a\nb", "a\tb", "a\x1B[2J", "a\x7F", "a\xE2\x80\xAE" "b", "a\xE2\x80\xA8"}) {
    EXPECT_THAT(fault(name), HasSubstr("cannot be seen")) << name;
  }
  EXPECT_EQ(fault("a\xFF\n\xE2\x80\xAE"), "file name 'a\xEF\xBF\xBD [U+202E]' is not UTF-8 or has characters that cannot be seen; choose another");
  EXPECT_THAT(fault("a\"b"), HasSubstr("quote"));
  EXPECT_THAT(fault(std::string(201, 'a')), HasSubstr("longer than 200 bytes"));
  EXPECT_EQ(fault(std::string(200, 'a')), "");
}

TEST(SourceNames, AreNotThoseOfTheHarness) {
  for (const char* name : {"candidate.yaml", "candidate.yaml/a", "mskb_shim.cu", "mskb_shim.cu/a", "a.tmp.17"}) {
    EXPECT_THAT(fault(name), HasSubstr("kept for the harness")) << name;
  }
}

TEST(SourceNames, NoFileIsAFolderToo) {
  EXPECT_THAT(fault("kernel.cu/x"), HasSubstr("file name 'kernel.cu' is also that of a folder"));
  EXPECT_TRUE(find_name_fault({{"a", ""}, {"a-b", ""}, {"a/b", ""}}));
}

}  // namespace
}  // namespace mskb
