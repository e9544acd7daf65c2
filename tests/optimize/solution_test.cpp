#include <gmock/gmock.h>

#include <fstream>

#include "base/errors.hpp"
#include "fake_harness.hpp"
#include "optimize/optimizer_file.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;

class SolutionTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << text;
  }
  std::optional<Candidate> solve(Precision precision) {
    return solution(load_optimizer(folder_.path()), {&test::silu(), precision});
  }

  TemporaryDirectory folder_;
};

TEST_F(SolutionTest, OneFileServesBothPrecisions) {
  write("silu_and_mul.cu", "both");
  EXPECT_EQ(solve(Precision::fp32)->sources.at("silu_and_mul.cu"), "both");
  EXPECT_EQ(solve(Precision::bf16)->sources.at("silu_and_mul.cu"), "both");
}

TEST_F(SolutionTest, Bf16HasAFileOfItsOwnFirst) {
  write("silu_and_mul.cu", "fp32");
  write("silu_and_mul_bf16.cu", "bf16");
  EXPECT_EQ(solve(Precision::fp32)->main_source, "silu_and_mul.cu");
  EXPECT_EQ(solve(Precision::bf16)->main_source, "silu_and_mul_bf16.cu");
}

TEST_F(SolutionTest, WithoutAFileThereIsNoCandidate) {
  write("silu_and_mul_bf16.cu", "bf16");
  EXPECT_EQ(solve(Precision::fp32), std::nullopt);
}

TEST_F(SolutionTest, AFileWithoutCodeIsACandidate) {
  for (const char* text : {"", "None", "// TO" "DO"}) {
    write("silu_and_mul.cu", text);
    ASSERT_TRUE(solve(Precision::fp32).has_value());
    EXPECT_EQ(solve(Precision::fp32)->sources.at("silu_and_mul.cu"), text);
  }
}

TEST_F(SolutionTest, IncludedFilesOfTheFolderComeAlong) {
  write("silu_and_mul.cu", "#include <cuda_runtime.h>\n  # include \"parts/a.cuh\"\n#include \"missing.h\"\n#include \"../out.h\"\n");
  write("parts/a.cuh", "#include \"b.cuh\"\n#include \"a.cuh\"\n");
  write("parts/b.cuh", "");
  write("unused.cuh", "");
  std::vector<std::string> names;
  const std::optional<Candidate> candidate = solve(Precision::fp32);
  for (const auto& entry : candidate->sources) {
    names.push_back(entry.first);
  }
  EXPECT_THAT(names, ::testing::ElementsAre("parts/a.cuh", "parts/b.cuh", "silu_and_mul.cu"));
}

TEST(Solution, IdentityProposesTheReferenceUnderItsOwnName) {
  OptimizerFile identity;
  identity.name = "identity";
  identity.kind = OptimizerKind::identity;
  const auto candidate = solution(identity, test::silu_fp32());
  EXPECT_EQ(candidate->id(), reference_candidate(test::silu_fp32()).id());
  EXPECT_EQ(candidate->origin, "optimizer:identity");
}

TEST(Solution, AProgramHasNone) {
  OptimizerFile program;
  program.kind = OptimizerKind::program;
  EXPECT_THROW(solution(program, test::silu_fp32()), InputError);
}

}  // namespace
}  // namespace mskb
