// Cheats through the command line on the CPU backend, beside honest kernels that must not be accused.
#include <set>

#include "cheats_run.hpp"
#include "sandbox/process.hpp"

namespace mskb::test {
namespace {

class Cheats : public CheatsRun {};

TEST_F(Cheats, SiluAndMul) {
  run_all("silu_and_mul", on_cpu);
  for (const Evaluation& evaluation : read_run(path("run")).evaluations) {
    if (evaluation.origin == "file:decoy_kernel.cu") {
      ASSERT_EQ(evaluation.launches.size(), 1u) << evaluation.case_name;
      EXPECT_THAT(evaluation.launches[0].kernel, ::testing::HasSubstr("silu")) << evaluation.case_name;
    }
  }
}

TEST_F(Cheats, DotProduct) { run_all("dot_product", on_cpu); }

TEST_F(Cheats, Sorting) { run_all("sorting", on_cpu); }

TEST_F(Cheats, RmsNorm) { run_all("rms_norm", on_cpu); }

TEST_F(Cheats, FilesOfAnEarlierRunAreGone) {
  if (strongest_sandbox() != SandboxLevel::full) {
    GTEST_SKIP() << "the sandbox is less than full here";
  }
  const std::string file = std::string(MSKB_SOURCE_DIR) + "/tests/cheats/candidates/silu_and_mul/leaves_files.cu";
  for (const char* out : {"first", "second"}) {
    const Ended ended = mskb(run_words(out, {"--candidate", file}));
    EXPECT_EQ(ended.exit_code, 0) << out << ": " << ended.output << ended.errors;
  }
}

TEST(CheatsTable, NamesEveryFileAndTheDocumentNamesEveryRow) {
  const std::string document = read_file(std::string(MSKB_SOURCE_DIR) + "/docs/trust.md");
  std::set<std::string> listed, files;
  for (const Cheat& cheat : cheats()) {
    EXPECT_TRUE(listed.insert(candidate_file(cheat)).second) << cheat.file << " is there twice";
    EXPECT_THAT(document, ::testing::HasSubstr("`" + std::string(cheat.file) + "`"));
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(MSKB_SOURCE_DIR) + "/tests/cheats/candidates")) {
    if (entry.is_regular_file()) {
      files.insert(entry.path());
    }
  }
  EXPECT_EQ(listed, files);
}

}  // namespace
}  // namespace mskb::test
