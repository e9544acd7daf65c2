#include "wire/invoke.hpp"

#include <dlfcn.h>

#include <cstring>

#include "base/bf16.hpp"
#include "build_fixture.hpp"

namespace mskb::testing {

// Loads built objects into this process and calls them; only for candidates whose entry stays on the host.
class InvokeTest : public BuildTest, public ::testing::WithParamInterface<Backend> {
 protected:
  InvokeTest() { options_.backend = GetParam(); }

  mskb_invoke_function load(const Candidate& candidate) {
    const BuildResult result = build(candidate);
    EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
    void* object = ::dlopen(result.object.c_str(), RTLD_LAZY | RTLD_LOCAL);
    EXPECT_NE(object, nullptr) << ::dlerror();
    if (object == nullptr) {
      return nullptr;
    }
    if (GetParam() == Backend::cuda) {
      EXPECT_EQ(::dlsym(object, "scale_optimized"), nullptr) << "only mskb_invoke is to be seen";
    }
    return reinterpret_cast<mskb_invoke_function>(::dlsym(object, "mskb_invoke"));
  }

  // scale(in, out, 3, 2.5)
  int call(mskb_invoke_function invoke) {
    void* buffers[] = {in_, out_, nullptr, nullptr};
    const double values[] = {0, 0, 3, 2.5};
    const mskb_call call{buffers, values};
    return invoke(&call, error_, sizeof error_);
  }

  float in_[3] = {1, -2, 4}, out_[3] = {0, 0, 0};
  char error_[32] = "";
};

TEST_P(InvokeTest, PassesBuffersDimsAndScalars) {
  const auto invoke = load(candidate_of(good_source));
  ASSERT_NE(invoke, nullptr);
  EXPECT_EQ(call(invoke), 0);
  EXPECT_THAT(out_, ::testing::ElementsAre(2.5f, -5.0f, 10.0f));
}

TEST_P(InvokeTest, TakesBf16ByValue) {
  precision_ = Precision::bf16;
  const auto invoke =
      load(candidate_of("#include <cuda_bf16.h>\n"
                        "void scale_bf16(const __nv_bfloat16* in, __nv_bfloat16* out, int n, __nv_bfloat16 factor) { "
                        "out[n - 3] = factor; }\n"));
  ASSERT_NE(invoke, nullptr);
  EXPECT_EQ(call(invoke), 0);
  std::uint16_t first;
  std::memcpy(&first, out_, sizeof first);
  EXPECT_EQ(first, bf16_from_float(2.5f));
}

TEST_P(InvokeTest, ReportsExceptions) {
  const auto invoke =
      load(candidate_of("#include <stdexcept>\n"
                        "void scale(const float*, float*, int, float) { throw std::runtime_error(\"it went wrong in a "
                        "way that takes many words\"); }\n"));
  ASSERT_NE(invoke, nullptr);
  EXPECT_EQ(call(invoke), 1);
  EXPECT_STREQ(error_, "it went wrong in a way that tak");
  const auto odd = load(candidate_of("void scale(const float*, float*, int, float) { throw 7; }\n"));
  ASSERT_NE(odd, nullptr);
  EXPECT_EQ(call(odd), 1);
  EXPECT_STREQ(error_, "something that is not a std::ex");
}

std::vector<Backend> backends() {
  return have_nvcc() ? std::vector{Backend::cpu, Backend::cuda} : std::vector{Backend::cpu};
}
INSTANTIATE_TEST_SUITE_P(Backends, InvokeTest, ::testing::ValuesIn(backends()),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST_F(BuildTest, BaselineMaySayThatItCannot) {
  if (have_nvcc()) {
    options_.backend = Backend::cuda;
    const BuildResult result =
        build(candidate_of("#include \"mskb/baseline.hpp\"\n"
                           "extern \"C\" void scale(const float*, float*, int, float) {\n"
                           "  throw mskb::Unsupported(\"odd sizes\");\n}\n",
                           "baseline:vendor"));
    ASSERT_EQ(result.verdict, Verdict::passed) << result.detail;
    void* object = ::dlopen(result.object.c_str(), RTLD_LAZY | RTLD_LOCAL);
    ASSERT_NE(object, nullptr) << ::dlerror();
    const auto invoke = reinterpret_cast<mskb_invoke_function>(::dlsym(object, "mskb_invoke"));
    void* buffers[4] = {};
    const double values[4] = {};
    const mskb_call call{buffers, values};
    char error[64];
    EXPECT_EQ(invoke(&call, error, sizeof error), 2);
    EXPECT_STREQ(error, "unsupported: odd sizes");
  } else {
    EXPECT_TRUE(find_compiler(Backend::cuda).empty());
  }
}

}  // namespace mskb::testing
