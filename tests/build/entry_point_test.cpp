#include "build_fixture.hpp"

namespace mskb::testing {

const std::string wanted = "void scale_optimized(const float* in, float* out, int n, float factor)";

TEST_F(BuildTest, RightTypesPass) {
  for (const char* source : {
           "extern \"C\" void scale(const float* in, float* out, int n, float factor) {}",
           "void scale_optimized(const float* __restrict__ in, float* __restrict__ out, const int n, const float "
           "factor) {}",
           "void scale(const float* in, float* out, int n, float factor = 2.0f) noexcept {}",
           "void scale(const float* in, float* out, int n) {}",
           "void scale(float* in, float* out, int n, float factor) {}",
           "#define ENTRY scale\nvoid ENTRY(const float*, float*, int, float) {}",
           "static void scale(const float*, float*, int, float) {}",
       }) {
    const BuildResult result = build(source);
    EXPECT_EQ(result.verdict, Verdict::passed) << source << "\n" << result.detail;
  }
}

TEST_F(BuildTest, WrongTypesNameTheFunctionAndWhatIsExpected) {
  for (const char* source : {
           "void scale_optimized(const float* in, const float* out, int n, float factor) {}",
           "void scale_optimized(const double* in, float* out, int n, float factor) {}",
           "void scale_optimized(const float* in, float* out, long n, float factor) {}",
           "void scale_optimized(const float* in, float* out) {}",
           "void scale_optimized(const float* in, float* out, int n, float factor, int more) {}",
           "int scale_optimized(const float* in, float* out, int n, float factor) { return 0; }",
           "void scale_optimized(float* out, const float* in, int n, float factor) {}",
           "int scale_optimized = 0;",
       }) {
    const BuildResult result = build(source);
    EXPECT_EQ(result.verdict, Verdict::build_failed) << source;
    EXPECT_EQ(result.detail, "entry point scale_optimized has another type than expected: " + wanted) << source;
  }
}

TEST_F(BuildTest, MissingEntryPointIsNamed) {
  for (const char* source :
       {"namespace mine { void scale_optimized(const float*, float*, int, float) {} }",
        "#if 0\nvoid scale_optimized(const float*, float*, int, float) {}\n#endif\n"}) {
    const BuildResult result = build(source);
    EXPECT_EQ(result.verdict, Verdict::build_failed) << source;
    EXPECT_EQ(result.detail, "entry point scale_optimized(...) is missing: define " + wanted) << source;
  }
  EXPECT_THAT(build("void other() {}").detail, StartsWith("entry point scale(...) is missing: define void scale("));
  precision_ = Precision::bf16;
  EXPECT_THAT(build(good_source).detail, StartsWith("entry point scale_bf16(...) is missing: define void scale_bf16("));
}

TEST_F(BuildTest, KernelIsNoEntryPoint) {
  EXPECT_EQ(build("__global__ void scale_optimized(const float* in, float* out, int n, float factor) {}").detail,
            "entry point scale_optimized is a device function: define the host function " + wanted);
}

TEST_F(BuildTest, MacrosOfTheCandidateDoNotReachTheShim) {
  const BuildResult result = build(
      good_source +
      "#define float double\n#define int long\n#define const\n#define call nothing\n#define P 32\n#define std nowhere\n"
      "#define static_assert(...)\n#define try\n#define template\n#define true false\n#define return\n");
  EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
}

TEST_F(BuildTest, NvccSaysTheSame) {
  if (have_nvcc()) {
    options_.backend = Backend::cuda;
    EXPECT_EQ(build(good_source).verdict, Verdict::passed);
    EXPECT_EQ(build("void scale_optimized(const float* in, float* out) {}").detail,
              "entry point scale_optimized has another type than expected: " + wanted);
    EXPECT_EQ(build("namespace mine { void scale_optimized(const float*, float*, int, float) {} }").detail,
              "entry point scale_optimized(...) is missing: define " + wanted);
    EXPECT_THAT(build("int x = nothing;\n" + good_source).detail,
                StartsWith("scale.cu(1): error: identifier \"nothing\""));
    EXPECT_THAT(
        build("extern \"C\" void elsewhere();\nvoid scale(const float*, float*, int, float) { elsewhere(); }").detail,
        HasSubstr("undefined reference to `elsewhere'"));
  } else {
    EXPECT_TRUE(find_compiler(Backend::cuda).empty());
  }
}

}  // namespace mskb::testing
