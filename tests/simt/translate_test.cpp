#include "simt/translate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mskb::simt {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Line `number` (from 1) of the translated source, counted as the compiler counts.
std::string line_of(const std::string& source, int number) {
  const std::string translated = translate(source, "k.cu");
  std::size_t at = translated.find("#line 1 \"k.cu\"\n");
  at = translated.find('\n', at) + 1;
  while (--number > 0) at = translated.find('\n', at) + 1;
  return translated.substr(at, translated.find('\n', at) - at);
}

int error_line(const std::string& source) {
  try {
    translate(source, "k.cu");
  } catch (const TranslateError& error) {
    return error.line;
  }
  return 0;
}

TEST(Translate, KeepsLineNumbers) {
  const std::string source =
      "__global__ void k(int a) {\n  __shared__ float\n    x[4],\n    y;\n}\nvoid f() {\n  k<<<\n    1,\n    1>>>(\n   "
      " 0);\n}\nint last;";
  EXPECT_THAT(line_of(source, 12), HasSubstr("int last;"));
  EXPECT_THAT(line_of(source, 10), HasSubstr("0);"));
}

TEST(Translate, LeavesAByteOrderMarkOut) {
  EXPECT_EQ(translate("\xEF\xBB\xBFint one;\n", "k.cu"), translate("int one;\n", "k.cu"));
}

TEST(Translate, QuotesTheFileName) {
  EXPECT_THAT(translate("", "a\"b\\c.cu"), HasSubstr("#line 1 \"a\\\"b\\\\c.cu\"\n"));
}

TEST(Translate, LeavesCommentsAndStringsAlone) {
  for (const std::string source :
       {"// k<<<1, 1>>>(x)", "/* __shared__ int x; k<<<1,1>>>(x) */", "auto s = \"k<<<1, 1>>>(x)\";",
        "auto s = R\"ab(__shared__ k<<<1, 1>>>(\")ab\";", "int n = 1'000'000; char c = '<';"}) {
    EXPECT_EQ(line_of(source, 1), source);
  }
}

TEST(Translate, PutsSpacesRoundWhatItEmits) {
  // `case 1:` and `::` would otherwise meet as `:::`, `%` and `::` as `%::`.
  EXPECT_THAT(line_of("void f() { switch (1) { case 1:k<<<1,1>>>(); } }", 1), Not(HasSubstr(":::")));
  EXPECT_THAT(line_of("int x = 3 %k<<<1,1>>>();", 1), HasSubstr("% ::"));
}

TEST(Translate, DoesNotTakeAKeywordForAScope) {
  const auto line = line_of("void f() { if (a) ::k<<<1, 1>>>(); else ::k<<<1, 1>>>(); }", 1);
  EXPECT_THAT(line, HasSubstr("else  ::mskb_simt::launch"));
}

TEST(Translate, FindsTheKernelBehindTemplateArguments) {
  EXPECT_THAT(line_of("void f() { return a::k<b<c<int>>, (4 > 2) ? 3 : 1><<<1, 1>>>(x); }", 1),
              HasSubstr("return  ::mskb_simt::launch( \"a::k<b<c<int>>, (4>2)?3:1>\" , a::k<b<c<int>>, (4 > 2) ? 3 : "
                        "1> )( 1, 1 ) (x)"));
}

TEST(Translate, CallsKernelsThatAnIncludedFileMayDeclare) {
  EXPECT_THAT(line_of("#include \"mine.cuh\"\nvoid f() { k<<<1, 1>>>(x); }", 2), HasSubstr("launch_call"));
  EXPECT_THAT(line_of("#include <cuda_runtime.h>\nvoid f() { k<<<1, 1>>>(x); }", 2), Not(HasSubstr("launch_call")));
}

TEST(Translate, RefusesALaunchSplitOverMacros) {
  EXPECT_EQ(error_line("#define CONFIG <<<1, 1>>>\nvoid f() { k CONFIG(0); }"), 1);
  EXPECT_EQ(error_line("\n#define OPEN <<<1,\nvoid f() { k OPEN 1>>>(0); }"), 2);
  EXPECT_EQ(error_line("void f() {\n  k<<<1, 1 CLOSE(0);\n}"), 2);
  EXPECT_EQ(error_line("void f() {\n  k<<<1, 1>>> ARGUMENTS;\n}"), 2);
}

TEST(Translate, RefusesSharedDeclarationsItCannotRead) {
  EXPECT_EQ(error_line("#define SHARED __shared__\n"), 1);
  EXPECT_EQ(error_line("__global__ void k() {\n  __shared__ int x = 3;\n}"), 2);
  EXPECT_EQ(error_line("__global__ void k() {\n\n  __shared__ int (*f)(int);\n}"), 3);
  EXPECT_EQ(error_line("namespace a {\n__shared__ int x;\n}"), 2);
}

TEST(Translate, DropsTheCastThatHidesAKernel) {
  EXPECT_THAT(line_of("int e = cudaLaunchKernel((const void*)k<int>, g, b, a);", 1),
              HasSubstr("cudaLaunchKernel( k<int>, g"));
  EXPECT_THAT(line_of("int e = cudaLaunchKernel(reinterpret_cast<void*>(&k), g, b, a);", 1),
              HasSubstr("cudaLaunchKernel( (&k), g"));
}

TEST(Translate, LeavesAttributesNamedNoinlineAlone) {
  EXPECT_THAT(line_of("__attribute__((__noinline__)) void f();", 1), HasSubstr("((__noinline__))"));
  EXPECT_THAT(line_of("__noinline__ void f();", 1), Not(HasSubstr("__noinline__")));
}

struct Feature {
  const char* source;
  const char* feature;
  int line;
};
class UnsupportedFeature : public ::testing::TestWithParam<Feature> {};

TEST_P(UnsupportedFeature, IsNamedWithItsLine) {
  const auto found = find_unsupported(GetParam().source);
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(found->feature, HasSubstr(GetParam().feature));
  EXPECT_EQ(found->line, GetParam().line);
}

INSTANTIATE_TEST_SUITE_P(
    Features, UnsupportedFeature,
    ::testing::Values(Feature{"\nvoid f() { asm volatile(\"cp.async.ca.shared.global [%0], [%1], 16;\" :: \"r\"(a)); }",
                              "cp.async.ca.shared.global", 2},
                      Feature{"__asm__(\"mov.u32 %0, %laneid;\" : \"=r\"(x));", "inline PTX (mov.u32)", 1},
                      Feature{"#define WAIT \\\n  asm(\"bar.sync 0;\")", "bar.sync", 2},
                      Feature{"#include <mma.h>", "mma.h", 1}, Feature{"int a;\nusing namespace nvcuda;", "wmma", 2},
                      Feature{"namespace cg = cooperative_groups;", "cooperative groups", 1},
                      Feature{"#include <cooperative_groups/reduce.h>", "cooperative_groups", 1},
                      Feature{"#include <cub/cub.cuh>", "cub/cub.cuh", 1},
                      Feature{"#include <thrust/sort.h>", "thrust/sort.h", 1},
                      Feature{"#include <cublas_v2.h>", "cublas_v2.h", 1},
                      Feature{"#include <cuda_runtime.h>\n#  include \"cuda_pipeline.h\"", "cuda_pipeline.h", 2},
                      Feature{"cuda::barrier<cuda::thread_scope_block> b;", "cuda::barrier", 1},
                      Feature{"__pipeline_commit();", "pipeline", 1},
                      Feature{"float v = tex2D<float>(t, x, y);", "textures", 1},
                      Feature{"cudaLaunchCooperativeKernel((void*)k, g, b, a);", "cooperative", 1}));

TEST(Supported, OrdinarySourcesAreNotRefused) {
  for (const char* source :
       {"#include <cuda_runtime.h>\n#include <cuda_bf16.h>\n#include <cstdio>\n#include <algorithm>",
        "// asm(\"mov.u32\")", "const char* s = \"#include <cub/cub.cuh>\";", "asm volatile(\"\" ::: \"memory\");",
        "int cuda = 1, asm_count = 2;", "#include \"mine.cuh\"", "#include \"custom.h\""}) {
    EXPECT_FALSE(find_unsupported(source).has_value()) << source;
  }
}

TEST(Supported, BranchesForOtherDevicesDoNotCount) {
  const std::string ptx = "asm volatile(\"wgmma.fence;\");\n";
  EXPECT_FALSE(find_unsupported("#if __CUDA_ARCH__ >= 900\n" + ptx + "#else\nint x;\n#endif"));
  EXPECT_FALSE(find_unsupported("#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800)\n" + ptx + "#endif"));
  EXPECT_FALSE(find_unsupported("#ifdef __CUDA_ARCH__\nint x;\n#elif UNKNOWN\n" + ptx + "#else\n" + ptx + "#endif"));
  EXPECT_FALSE(find_unsupported("#if 0\n#include <mma.h>\n#endif"));
  EXPECT_EQ(find_unsupported("#if __CUDA_ARCH__ >= 800\n" + ptx + "#endif")->line, 2);
  EXPECT_EQ(find_unsupported("#if UNKNOWN\nint x;\n#else\n" + ptx + "#endif")->line, 4);
  EXPECT_EQ(find_unsupported("#if UNKNOWN || __CUDA_ARCH__ == 700\n" + ptx + "#endif")->line, 2);
  EXPECT_TRUE(find_unsupported("#if " + std::string(254, '!') + "1\n" + ptx + "#endif"));
  EXPECT_EQ(find_unsupported("#if 0\n#if 1\n" + ptx + "#endif\n#else\n" + ptx + "#endif")->line, 6);
}

}  // namespace
}  // namespace mskb::simt
