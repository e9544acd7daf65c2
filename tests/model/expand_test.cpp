#include <gtest/gtest.h>

#include "task_fixture.hpp"

namespace mskb {
namespace {

class Expand : public testing::Test {
 protected:
  std::string fp32(std::string_view text) const { return expand_source(text, {&task_, Precision::fp32}); }
  std::string bf16(std::string_view text) const { return expand_source(text, {&task_, Precision::bf16}); }

  std::string refusal(std::string_view text) const {
    try {
      bf16(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  TaskHome home_;
  Task task_ = home_.load();
};

TEST_F(Expand, NamesTypeAndEntry) {
  EXPECT_EQ(fp32("void $entry(const $real* x);"), "void scale(const float* x);");
  EXPECT_EQ(bf16("void $entry(const $real* x);"), "void scale_bf16(const __nv_bfloat16* x);");
}

TEST_F(Expand, ConvertsWithBalancedParentheses) {
  EXPECT_EQ(fp32("y = $store(f($load(x[g(i)])) + 1);"), "y = f(x[g(i)]) + 1;");
  EXPECT_EQ(bf16("y = $store(f($load(x[g(i)])) + 1);"), "y = __float2bfloat16(f(__bfloat162float(x[g(i)])) + 1);");
  EXPECT_EQ(bf16("$load(x[')'] /* ) */)"), "__bfloat162float(x[')'] /* ) */)");
}

TEST_F(Expand, KeepsBlocksOfOnePrecision) {
  EXPECT_EQ(fp32("a $fp32{ b } c $bf16{ d } e"), "a b c  e");
  EXPECT_EQ(bf16("if (x) $bf16{{ y($real); }}"), "if (x) { y(__nv_bfloat16); }");
}

TEST_F(Expand, BlocksOnTheirOwnLinesLeaveNoBlankOnes) {
  const char* text = "one\n$bf16{\n#include <two>\n}\n  $fp32{\n  three }\n  $bf16{ four }\nfive\n";
  EXPECT_EQ(bf16(text), "one\n#include <two>\n  four\nfive\n");
  EXPECT_EQ(fp32("one\n$bf16{\n#include <two>\n}\n  $fp32{\n  if (a) {\n    three;\n  }\n  }\nfive\n"),
            "one\n  if (a) {\n    three;\n  }\nfive\n");
}

TEST_F(Expand, RefusesWithLine) {
  EXPECT_EQ(refusal("a\nb $reel c"),
            "tasks/scale/reference.cu:2: unknown token $reel; write $real, $entry, $load(), $store(), $fp32{} or $bf16{}");
  EXPECT_EQ(refusal("a\n$load(x[(1)]"), "tasks/scale/reference.cu:2: '(' is never closed");
  EXPECT_EQ(refusal("a\n\n$fp32 {"), "tasks/scale/reference.cu:3: '{' must follow the token");
}

TEST_F(Expand, MakesTheReferenceACandidate) {
  write_file_atomically(home_.home() / "tasks/scale/reference.cu", "extern \"C\" void $entry() {}\n");
  const Candidate candidate = reference_candidate({&task_, Precision::bf16});
  EXPECT_TRUE(candidate.is_reference());
  EXPECT_EQ(candidate.main_source, "scale_bf16.cu");
  EXPECT_EQ(candidate.sources.at("scale_bf16.cu"), "extern \"C\" void scale_bf16() {}\n");
}

TEST_F(Expand, DeclaresTheEntryPoint) {
  EXPECT_EQ(declaration({&task_, Precision::fp32}), "void scale(float* y, const float* x, const int* order, int rows, float a)");
  EXPECT_EQ(declaration({&task_, Precision::bf16}),
            "void scale_bf16(__nv_bfloat16* y, const __nv_bfloat16* x, const int* order, int rows, float a)");
}

}  // namespace
}  // namespace mskb
