// The same cheats, and those that need a GPU, with timing.
#include <fstream>

#include "base/replace.hpp"
#include "cheats_run.hpp"
#include "evaluate/keeper_client.hpp"
#include "sandbox/process.hpp"

namespace mskb::test {
namespace {

class CheatsOnTheDevice : public CheatsRun {
 protected:
  void SetUp() override {
    try {
      const KeeperClient probe(Backend::cuda, 0);
    } catch (const NoDevice& none) {
      GTEST_SKIP() << none.what();
    }
    if (strongest_sandbox() != SandboxLevel::full) {
      GTEST_SKIP() << "the sandbox is less than full here, and nobody is timed without it";
    }
  }
};

// Some sixty: in several runs, each short enough for a machine that is lent by the minute.
constexpr std::size_t parts = 5;

class SiluAndMulOnTheDevice : public CheatsOnTheDevice, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(SiluAndMulOnTheDevice, Part) { run_all("silu_and_mul", on_cuda, {GetParam(), parts}); }

INSTANTIATE_TEST_SUITE_P(, SiluAndMulOnTheDevice, ::testing::Range<std::size_t>(0, parts));

TEST_F(CheatsOnTheDevice, DotProduct) { run_all("dot_product", on_cuda); }

TEST_F(CheatsOnTheDevice, Sorting) { run_all("sorting", on_cuda); }

TEST_F(CheatsOnTheDevice, RmsNorm) { run_all("rms_norm", on_cuda); }

// What `serves_itself_and_flatters` cannot hide where a call takes longer than answers come late.
TEST_F(CheatsOnTheDevice, ATimeTooShortForALongCall) {
  std::string source = read_file(std::string(MSKB_SOURCE_DIR) + "/tests/cheats/candidates/silu_and_mul/serves_itself_and_flatters.cu");
  replace_all(source, "least_elements = 0", "least_elements = 1000000");
  std::ofstream(path("flatters.cu")) << source;
  const Ended ended = mskb({"run", "--task", "silu_and_mul", "--precision", "fp32", "--out", "run", "--sizes", "large", "--baselines", "none", "--budget", "10s",
                            "--device", "cuda", "--candidate", "flatters.cu"});
  EXPECT_EQ(ended.exit_code, 1) << ended.errors;
  bool seen = false;
  for (const Evaluation& evaluation : read_run(path("run")).evaluations) {
    if (evaluation.origin == "file:flatters.cu" && evaluation.set == "large") {
      seen = true;
      EXPECT_EQ(evaluation.verdict, Verdict::violation) << evaluation.detail;
      EXPECT_THAT(evaluation.detail, ::testing::HasSubstr("but its answers took"));
    } else {
      EXPECT_EQ(evaluation.verdict, Verdict::passed) << evaluation.origin << " " << evaluation.case_name << ": " << evaluation.detail;
    }
  }
  EXPECT_TRUE(seen);
}

// Not a cheat, but as dear as one that hangs if every case of it gets a new process.
TEST_F(CheatsOnTheDevice, ALostContextEndsAfterThreeCases) {
  const Ended ended = mskb({"run", "--task", "silu_and_mul", "--precision", "fp32", "--out", "run", "--sizes", "smoke", "--no-timing", "--device", "cuda",
                            "--candidate", kernel("device_crash")});
  EXPECT_EQ(ended.exit_code, 1) << ended.errors;
  std::size_t cases = 0;
  for (const Evaluation& evaluation : read_run(path("run")).evaluations) {
    if (evaluation.origin != "file:device_crash.cu") {
      EXPECT_EQ(evaluation.verdict, Verdict::passed) << evaluation.origin << " " << evaluation.case_name << ": " << evaluation.detail;
      continue;
    }
    EXPECT_EQ(evaluation.verdict, Verdict::launch_failed) << evaluation.case_name;
    EXPECT_THAT(evaluation.detail, ::testing::HasSubstr(++cases <= 3 ? "illegal memory access" : "not run: 3 cases before it ended in a crash"))
        << evaluation.case_name;
  }
  EXPECT_GT(cases, 3u);
}

}  // namespace
}  // namespace mskb::test
