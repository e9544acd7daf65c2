#include "build/ptxas.hpp"

#include "build_fixture.hpp"

namespace mskb::testing {

TEST(Ptxas, ReadsEachKernel) {
  const std::string text =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1kIfEvPT_i' for 'sm_90a'\n"
      "ptxas info    : Function properties for _Z1kIfEvPT_i\n"
      "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 14 registers, used 1 barriers, 16 bytes cumulative stack size, 128 bytes smem, 364 bytes "
      "cmem[0]\n"
      "ptxas info    : Compile time = 3.892 ms\n"
      "ptxas info    : Function properties for device_helper\n"
      "    512 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'plain' for 'sm_90a'\n"
      "ptxas info    : Function properties for plain\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n";
  const std::vector<KernelResources> want{{"void k<float>(float*, int)", 14, 128, 16, 8, 12}, {"plain", 8, 0, 0, 0, 0}};
  EXPECT_EQ(parse_ptxas(text), want);
  EXPECT_TRUE(parse_ptxas("nothing of the kind\n\xFF\n").empty());
}

TEST_F(BuildTest, ResourcesOfARealBuildAreKeptInTheCache) {
  if (have_nvcc()) {
    options_.backend = Backend::cuda;
    const std::string source =
        "__global__ void scale_kernel(const float* in, float* out, int n, float factor) {\n"
        "  __shared__ float tile[128];\n"
        "  tile[threadIdx.x] = in[threadIdx.x];\n  __syncthreads();\n"
        "  out[threadIdx.x] = factor * tile[n - 1 - threadIdx.x];\n}\n"
        "void scale(const float* in, float* out, int n, float factor) { scale_kernel<<<1, 128>>>(in, out, n, factor); "
        "}\n";
    const BuildResult first = build(source);
    ASSERT_EQ(first.verdict, Verdict::passed) << first.detail;
    ASSERT_EQ(first.resources.size(), 1u);
    EXPECT_EQ(first.resources[0].kernel, "scale_kernel(float const*, float*, int, float)");
    EXPECT_EQ(first.resources[0].static_shared, 512);
    EXPECT_GT(first.resources[0].registers, 0);
    EXPECT_EQ(build(source).resources, first.resources);
  } else {
    EXPECT_TRUE(find_compiler(Backend::cuda).empty());
  }
}

}  // namespace mskb::testing
