#include "cudamaster/flags.hpp"

#include <gmock/gmock.h>

#include "build/builder.hpp"

namespace mskb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Asked of the harness itself, so that the two lists cannot part.
TEST(CudaMasterFlags, AreThoseThatTheHarnessAccepts) {
  for (const std::string flag : {"-DTILE=16",
                                 "-DTILE",
                                 "-D__CUDA_ARCH__=1",
                                 "-DMSKB_X",
                                 "-Dmskb_x=2",
                                 "-D1",
                                 "-O0",
                                 "-O3",
                                 "-O4",
                                 "-use_fast_math",
                                 "--use_fast_math",
                                 "-maxrregcount=32",
                                 "--maxrregcount=128",
                                 "--maxrregcount=1000",
                                 "--maxrregcount=",
                                 "--fmad=false",
                                 "--fmad=no",
                                 "-ftz=true",
                                 "--prec-div=false",
                                 "--prec-sqrt=true",
                                 "-lineinfo",
                                 "--generate-line-info",
                                 "--extra-device-vectorization",
                                 "-Xptxas=-O3",
                                 "-Xptxas -O2",
                                 "-Xptxas=-dlcm=ca",
                                 "-Xptxas -dscm=wt",
                                 "-Xptxas=--allow-expensive-optimizations=true",
                                 "-Xptxas=-v",
                                 "-Ielsewhere",
                                 "-include",
                                 "-lcublas",
                                 "-Xlinker",
                                 "--compiler-options=-O3",
                                 "-arch=sm_90",
                                 "-std=c++20",
                                 "-Wall",
                                 "-o",
                                 "--run",
                                 "-DA=b;c"}) {
    const bool accepted = cudamaster::choose_flags({flag}).refused.empty();
    EXPECT_EQ(accepted, !refused_flag({flag})) << flag;
    EXPECT_EQ(cudamaster::choose_flags({flag}).accepted.size(), accepted ? 1u : 0u) << flag;
  }
}

TEST(CudaMasterFlags, KeepsTheRightOnesOfAMixedAnswer) {
  const auto choice = cudamaster::choose_flags({"--use_fast_math", "-lcublas", "-Xptxas -O3"});
  EXPECT_THAT(choice.accepted, ElementsAre("--use_fast_math", "-Xptxas=-O3"));
  EXPECT_THAT(choice.refused, ElementsAre("-lcublas"));
}

TEST(CudaMasterFlags, AFlagOfAMillionLettersIsRefused) {
  const auto choice = cudamaster::choose_flags({"-D" + std::string(1000000, 'A')});
  ASSERT_EQ(choice.refused.size(), 1u);
  EXPECT_LT(choice.refused.front().size(), 300u) << "it is told in prompts and notes";
}

TEST(CudaMasterFlags, FortyOfAnyKindAreKept) {
  std::vector<std::string> wanted;
  for (int i = 0; i < 100000; ++i) {
    wanted.push_back("-DA" + std::to_string(i) + "=1");
    wanted.push_back("-l" + std::to_string(i));
  }
  const auto choice = cudamaster::choose_flags(wanted);
  EXPECT_EQ(choice.accepted.size(), 40u);
  EXPECT_EQ(choice.refused.size(), 40u);
  EXPECT_EQ(choice.accepted.back(), "-DA39=1");
}

TEST(CudaMasterFlags, TheListInTheCompilersPromptNamesThemAll) {
  const std::string text = cudamaster::allowed_flags_text();
  for (const char* flag : {"-DNAME", "-O0", "--use_fast_math", "--maxrregcount", "--fmad", "--ftz", "--prec-div",
                           "--prec-sqrt", "-lineinfo", "--extra-device-vectorization", "-Xptxas"}) {
    EXPECT_THAT(text, HasSubstr(flag));
  }
}

}  // namespace
}  // namespace mskb
