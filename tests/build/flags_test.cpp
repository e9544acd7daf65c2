#include "build/flags.hpp"

#include "base/errors.hpp"
#include "build_fixture.hpp"

namespace mskb::testing {

TEST(Flags, AllowedOnesPass) {
  EXPECT_NO_THROW(
      require_allowed_flags({"-use_fast_math", "--use_fast_math", "--maxrregcount=64", "-O0", "-O3", "-Xptxas -O2",
                             "-Xptxas", "-O3", "-Xptxas=-dlcm=cg", "--fmad=false", "-DTILE", "-DTILE=32", "-DX=1.5e-3",
                             "-lineinfo", "--extra-device-vectorization", "--ftz=true"}));
}

TEST(Flags, OthersAreNamed) {
  for (const char* flag : {"-O4", "-Ofast", "-I/etc", "-include", "/etc/passwd", "-lcublas", "-Xcompiler=-fplugin=x",
                           "-DX=$(id)", "-DX=a b", "-D__CUDA_ARCH__=900", "-Dmskb_call=1", "--maxrregcount=", "-Xptxas",
                           "-Xptxas=-v;id", "", "-ccbin", "@file"}) {
    EXPECT_TRUE(refused_flag({flag})) << flag;
    try {
      require_allowed_flags({flag});
      ADD_FAILURE() << flag << " was allowed";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("flag '" + std::string(flag) + "'"));
    }
  }
}

TEST(Flags, LongOnesAreRefused) {
  EXPECT_FALSE(refused_flag({"-D" + std::string(998, 'A')}));
  EXPECT_FALSE(refused_flag(std::vector<std::string>(64, "-O3")));
  EXPECT_EQ(refused_flag(std::vector<std::string>(500'000, "-O3")), "there are 500000 flags; a candidate may add 64");
  const auto reason = refused_flag({"-D" + std::string(200'000, 'A')});
  ASSERT_TRUE(reason);
  EXPECT_THAT(*reason, StartsWith("flag '-DAAA"));
  EXPECT_LT(reason->size(), 1000u);
}

TEST(Flags, TheHostCompilerTakesOnlyMacros) {
  const CompilerFlags cpu = flags_for(Backend::cpu, {"-O1", "-DX=2", "-use_fast_math"});
  EXPECT_EQ(cpu.used, std::vector<std::string>{"-DX=2"});
  EXPECT_EQ(cpu.ignored, (std::vector<std::string>{"-O1", "-use_fast_math"}));
  const CompilerFlags cuda = flags_for(Backend::cuda, {"-O1", "-Xptxas -O2", "-Xptxas", "-O3"});
  EXPECT_EQ(cuda.used, (std::vector<std::string>{"-O1", "-Xptxas=-O2", "-Xptxas=-O3"}));
  EXPECT_TRUE(cuda.optimization);
}

TEST_F(BuildTest, IgnoredFlagsAreInTheLog) {
  Candidate candidate = candidate_of("#if !TILE\n#error no TILE\n#endif\n" + good_source);
  candidate.flags = {"-DTILE=1", "-use_fast_math"};
  const BuildResult result = build(candidate);
  EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
  EXPECT_THAT(read_file(result.log), HasSubstr("ignored on the CPU backend: -use_fast_math"));
}

TEST_F(BuildTest, NvccTakesTheFlags) {
  options_.backend = Backend::cuda;
  use_compiler("echo \"$@\"; exit 1");
  Candidate candidate = candidate_of(good_source);
  candidate.flags = {"-O2", "-Xptxas -O1", "--maxrregcount=32"};
  const std::string log = read_file(build(candidate).log);
  EXPECT_THAT(log, HasSubstr(" -O2 -Xptxas=-O1 --maxrregcount=32 "));
  EXPECT_THAT(log, HasSubstr(" -gencode=arch=compute_90a,code=sm_90a "));
  EXPECT_THAT(log, Not(HasSubstr(" -O3 ")));
  EXPECT_THAT(log, Not(HasSubstr("harness/include")));
}

}  // namespace mskb::testing
