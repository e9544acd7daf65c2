#include <gmock/gmock.h>

#include "common/device_text.hpp"
#include "common/problem_text.hpp"
#include "common/report_text.hpp"
#include "scripted_session.hpp"
#include "simt/translate.hpp"

namespace mskb::agents {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ProblemText, TheBoundIsANumberInWords) {
  optimizer::Start start;
  start.accept = {{"y", "elementwise", 0, 2e-6, 0, 0}, {"z", "elementwise", 0.004, 0, 0, 0}, {"w", "normwise", 0, 0, 1e-5, 5e-5},
                  {"k", "exact", 0, 0, 0, 0}, {"s", "order", 0, 0, 0, 0}};
  const std::string text = acceptance_text(start);
  EXPECT_THAT(text, HasSubstr("- y: each element errs by at most 2e-06 times the sum of the absolute values of the terms"));
  EXPECT_THAT(text, HasSubstr("- z: each element errs by at most 0.004 times |result|\n"));
  EXPECT_THAT(text, HasSubstr("- w: the error's L2 norm is at most 1e-05 times the result's"));
  EXPECT_THAT(text, HasSubstr("- k: equal to the exact result"));
  EXPECT_THAT(text, HasSubstr("- s: ascending"));
}

TEST(ProblemText, SizesNameTheirDims) {
  optimizer::Start start;
  start.dims = {{"rows", "length of y"}, {"nnz", "entries"}, {"twice", "2*rows"}};
  start.cases["paper"] = {{"a", "10x20", {}, 1}, {"b", "30x40", {}, 3}};
  EXPECT_EQ(sizes_text(start, "paper"),
            "Sizes that count (rows x nnz), each with its share of the score: 10x20 (25.0 %), 30x40 (75.0 %)\n");
  EXPECT_EQ(sizes_text(start, "large"), "");
}

TEST(ProblemText, LeavesOutNotesOfTheOtherPrecisionOnly) {
  const std::string of_bf16 = "The BF16 original rounds its exponentials to BF16. Kept.";
  EXPECT_TRUE(is_of_other_precision(of_bf16, "fp32"));
  EXPECT_FALSE(is_of_other_precision(of_bf16, "bf16"));
  for (const char* unsure : {"The bound allows one rounding to BF16 and FP32 accumulation.", "The result is FP32 in both precisions.",
                             "One block for all rows, as the BF16 original does, in both precisions.",
                             "It starts one block. A loop would hurt the BF16 original.", "One long FP32 sum is less exact."}) {
    EXPECT_FALSE(is_of_other_precision(unsure, "fp32")) << unsure;
    EXPECT_FALSE(is_of_other_precision(unsure, "bf16")) << unsure;
  }
}

TEST(ProblemText, LongPlansAreCutBetweenSteps) {
  const std::string kept = "What limits it.\n\n1. First step.\n\n2. Second step,\n   on two lines.\n";
  const std::string plan = kept + "\n3. Third step" + std::string(60, '.') + "\n";
  EXPECT_EQ(plan_excerpt(plan, 100), plan) << "little longer than the limit";
  EXPECT_EQ(plan_excerpt(plan, 80), kept + "\n[the rest of this plan is left out]\n");
  EXPECT_EQ(plan_excerpt(plan, 60), "What limits it.\n\n1. First step.\n\n[the rest of this plan is left out]\n");
}

TEST(ReportText, WhereNothingIsTimedAPassSaysSo) {
  optimizer::Report report;
  report.verdict = "passed";
  EXPECT_EQ(outcome_text(report, ""), "correct on all cases, not timed here");
  EXPECT_EQ(outcome_text(report, "span"), "passed");
}

// The list in the prompts against what the translator refuses.
TEST(EmulationText, LacksWhatTheTranslatorRefuses) {
  const std::string text = emulation_text();
  const std::string lacks = text.substr(text.find("It lacks"));
  const std::pair<const char*, const char*> features[] = {
      {"inline PTX", "void f() { asm volatile(\"cp.async.wait_all;\"); }"},
      {"wmma", "using namespace nvcuda;"},
      {"cooperative groups", "namespace cg = cooperative_groups;"},
      {"clusters", "__global__ void __cluster_dims__(2, 1, 1) f();"},
      {"extended launches", "void f() { cudaLaunchKernelEx(&c, k); }"},
      {"cuda::", "cuda::barrier<cuda::thread_scope_block> b;"},
      {"pipelines", "void f() { __pipeline_commit(); }"},
      {"textures", "float f() { return tex2D<float>(t, x, y); }"},
      {"FP8", "__nv_fp8_e4m3 x;"},
      {"CUB", "#include <cub/cub.cuh>"},
      {"Thrust", "#include <thrust/sort.h>"}};
  for (const auto& [word, source] : features) {
    EXPECT_THAT(lacks, HasSubstr(word));
    EXPECT_TRUE(simt::find_unsupported(source).has_value()) << source;
  }
  const char* supported =
      "#include <cuda_runtime.h>\n#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n__constant__ float c[4];\n"
      "__global__ void k(const float4* a, float* o) { extern __shared__ float s[]; __syncthreads(); __syncwarp();\n"
      "o[0] = __expf(__ldg(a).x) + __shfl_xor_sync(~0u, c[0], 1) + __ballot_sync(~0u, 1) + __reduce_add_sync(~0u, 1);\n"
      "atomicAdd(o, 1.0f); __threadfence(); }\n";
  EXPECT_FALSE(simt::find_unsupported(supported).has_value());
}

TEST(DeviceText, OnlyTheCpuIsSaidToEmulate) {
  EXPECT_THAT(device_text(test::start_of_test(false)), HasSubstr("It lacks"));
  EXPECT_THAT(device_text(test::start_of_test(true)), Not(HasSubstr("It lacks")));
  EXPECT_THAT(device_text(test::start_of_test(true)), HasSubstr("cold L2"));
}

}  // namespace
}  // namespace mskb::agents
