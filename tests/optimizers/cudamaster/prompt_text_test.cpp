#include <gmock/gmock.h>

#include "base/files.hpp"
#include "common/device_text.hpp"
#include "common/problem_text.hpp"
#include "common/report_text.hpp"
#include "common/rounds_text.hpp"
#include "optimize/sdk/from_json.hpp"
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
  EXPECT_EQ(plan_excerpt(plan, 80), kept + "\n[the rest is left out]\n");
  EXPECT_EQ(plan_excerpt(plan, 60), "What limits it.\n\n1. First step.\n\n[the rest is left out]\n");
}

TEST(ProblemText, NothingIsCutInMidSentence) {
  const std::string first = "The first sentence is short. ", second = "The second one is a little longer. ";
  EXPECT_EQ(plan_excerpt(first + second + std::string(80, 'a'), 70), first + second + "\n[the rest is left out]\n");
  const std::string lines = "line one\nline two\nline three\nline four\nline five\nline six\nline seven\nline eight\n";
  EXPECT_EQ(excerpt_of(lines, 60), "line one\nline two\nline three\nline four\n\n[...]\nline eight\n");
  EXPECT_EQ(excerpt_of(lines, lines.size()), lines);
}

TEST(ProblemText, AWrappedLineIsNoStep) {
  const std::string step = "1. A step that names\n5120 rows and\n-2 as a bound.\n", rest = "2. " + std::string(90, 'a') + "\n";
  EXPECT_EQ(plan_excerpt(step + rest, 60), step + "[the rest is left out]\n");
  EXPECT_EQ(plan_excerpt("Intro.\n\n" + step + rest, 40), "Intro.\n\n[the rest is left out]\n");
}

optimizer::Report timed(std::initializer_list<optimizer::Speedup> speedups) {
  optimizer::Report report;
  report.verdict = "passed";
  for (const optimizer::Speedup& speedup : speedups) {
    optimizer::CaseReport each;
    each.set = "paper";
    each.size = std::to_string(report.cases.size());
    each.name = "doubled/fp32/paper/" + each.size;
    each.weight = 1;
    each.median_us["span"] = 10 / speedup.value;
    each.reference_median_us["span"] = 10;
    each.speedup["span"] = speedup;
    report.cases.push_back(each);
  }
  return report;
}

TEST(TimesTable, AChangeIsNamedOnlyWhereTheIntervalsAreApart) {
  const optimizer::Report one = timed({{2, 1.9, 2.1, ""}, {2, 1.9, 2.1, ""}, {2, 1.9, 2.1, ""}});
  const optimizer::Report two = timed({{3, 2.8, 3.2, ""}, {2.2, 2.05, 2.4, ""}, {1, 0.9, 1.1, ""}});
  const std::string text = times_table(nullptr, {{"round 1", &one}, {"round 2", &two}}, "span");
  EXPECT_THAT(text, HasSubstr("| paper/0 (size 0) | 10.00 | 5.00; 2.000 [1.900, 2.100] | 3.33; 3.000 [2.800, 3.200] faster |"));
  EXPECT_THAT(text, HasSubstr("2.200 [2.050, 2.400] same |"));
  EXPECT_THAT(text, HasSubstr("1.000 [0.900, 1.100] slower |"));
  EXPECT_THAT(text, HasSubstr("| score | | 2.000 [1.900, 2.100] | 2.067 [1.917, 2.233] |"));
  EXPECT_THAT(text, HasSubstr("it is not the quotient of two medians"));
  EXPECT_EQ(lost_text(two, one, "span"),
            "score 2.067 [1.917, 2.233] against 2.000 [1.900, 2.100]; of 3 sizes slower at 1, faster at 1, no change known at the others");
}

TEST(TimesTable, WithoutIntervalsNoChangeIsNamed) {
  const optimizer::Report one = timed({{2, 2, 2, ""}}), two = timed({{3, 3, 3, ""}});
  const std::string text = times_table(nullptr, {{"round 1", &one}, {"round 2", &two}}, "span");
  EXPECT_THAT(text, HasSubstr("| 5.00; 2.000 | 3.33; 3.000 |"));
  EXPECT_THAT(text, Not(HasSubstr("interval")));
}

TEST(TimesTable, ASizeThatOneVersionLacksIsBlank) {
  const optimizer::Report one = timed({{2, 1.9, 2.1, ""}, {2, 1.9, 2.1, ""}}), two = timed({{3, 2.8, 3.2, ""}});
  EXPECT_THAT(times_table(nullptr, {{"round 1", &one}, {"round 2", &two}}, "span"), HasSubstr("[1.900, 2.100] | - |"));
  EXPECT_EQ(times_table(nullptr, {}, "span"), "No times were taken.\n");
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
  EXPECT_THAT(device_text(test::start_of_test(true)), HasSubstr("the L2 cache is swept"));
}

// The examples of docs/optimizer-protocol.md, as the library for optimizers reads them.
TEST(DeviceText, BandwidthAndBareLaunchComeFromTheMessages) {
  const std::string text = read_file(MSKB_SOURCE_DIR "/docs/optimizer-protocol.md");
  const auto example = [&](const std::string& type) {
    const std::size_t at = text.find("{\"type\": \"" + type + "\"");
    return nlohmann::json::parse(text.substr(at, text.find("\n```", at) - at));
  };
  nlohmann::json start = example("start");
  EXPECT_EQ(optimizer::start_from(start).device.memory_bandwidth, 0);
  start["device"]["memory_bandwidth"] = 1.5e12;
  EXPECT_EQ(optimizer::start_from(start).device.memory_bandwidth, 1.5e12);
  start["device"].erase("memory_bandwidth");
  EXPECT_EQ(optimizer::start_from(start).device.memory_bandwidth, 0) << "records of before";
  EXPECT_EQ(optimizer::report_from(example("evaluation")).cases.at(0).null_kernel_us, 1.2);
}

TEST(DeviceText, EachFactStandsOnce) {
  optimizer::Start start = test::start_of_test(true);
  const std::string text = device_text(start);
  EXPECT_THAT(text, HasSubstr("1.0 GiB of memory at 4800 GB/s peak; the driver supports CUDA 13.0; compiled with a compiler.\n"));
  start.device.memory_bandwidth = 0;
  start.device.toolkit = "a toolkit";
  EXPECT_THAT(device_text(start), HasSubstr("1.0 GiB of memory; the driver supports CUDA 13.0; compiled with a toolkit and a compiler.\n"));
}

}  // namespace
}  // namespace mskb::agents
