#include <gmock/gmock.h>

#include <fstream>

#include "base/files.hpp"
#include "base/subprocess.hpp"
#include "simt/translate.hpp"
#include "worker_process.hpp"

namespace mskb {
namespace {

using ::testing::HasSubstr;
using wire::CallStatus;

// The values of fixtures/kernel.cu.
enum Behaviour { correct, too_many_threads, divergent_barrier, one_behind };

// fixtures/kernel.cu, translated and compiled for a worker of that flavour.
class TranslatedKernel {
 public:
  explicit TranslatedKernel(simt::Flavour flavour) {
    const std::string source = read_file(MSKB_SOURCE_DIR "/tests/worker/fixtures/kernel.cu");
    const std::string translated = (directory_.path() / "kernel.cpp").string();
    std::ofstream(translated) << simt::translate(source, "kernel.cu");
    std::vector<std::string> command{"g++"};
    for (const std::string& flag : simt::compile_flags(flavour, MSKB_SOURCE_DIR "/harness/simt/include")) {
      command.push_back(flag);
    }
    command.insert(command.end(), {"-o", object(), translated});
    const SubprocessResult result = run_subprocess(command);
    EXPECT_TRUE(result.ok()) << result.errors;
  }
  std::string object() const { return (directory_.path() / "kernel.so").string(); }

 private:
  TemporaryDirectory directory_;
};

const TranslatedKernel& plain() {
  static const TranslatedKernel kernel(simt::Flavour::plain);
  return kernel;
}

class KernelOnTheCpu : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(worker.load(plain().object())) << worker.failure();
    ASSERT_TRUE(worker.map_arena()) << worker.failure();
  }
  WorkerProcess worker;
};

TEST_F(KernelOnTheCpu, RunsAndListsItsLaunches) {
  const auto called = worker.call(correct);
  ASSERT_TRUE(called.has_value()) << worker.failure();
  EXPECT_EQ(called->status, CallStatus::ok) << called->text;
  EXPECT_TRUE(worker.correct());
  EXPECT_EQ(called->activities, 2u);
  EXPECT_EQ(called->launch_kinds, 1u);
  const auto page = worker.ask<wire::LaunchPage>(wire::AskLaunches{0});
  ASSERT_EQ(page->count, 1u);
  EXPECT_STREQ(page->entries[0].kernel, "add_one");
  EXPECT_EQ(page->entries[0].grid[0], 2u);
  EXPECT_EQ(page->entries[0].block[0], 64u);
  EXPECT_EQ(page->entries[0].count, 2u);
}

TEST_F(KernelOnTheCpu, ALaunchOutsideTheLimitsFails) {
  const auto called = worker.call(too_many_threads);
  ASSERT_TRUE(called.has_value());
  EXPECT_EQ(called->status, CallStatus::launch_failed);
  EXPECT_THAT(called->text, HasSubstr("add_one"));
  EXPECT_EQ(worker.call(correct)->status, CallStatus::ok);
}

TEST_F(KernelOnTheCpu, ADivergentBarrierIsAFaultWithItsLine) {
  const auto called = worker.call(divergent_barrier);
  ASSERT_TRUE(called.has_value());
  EXPECT_EQ(called->status, CallStatus::fault);
  EXPECT_THAT(called->text, ::testing::MatchesRegex("kernel.cu:[0-9]+: .*barrier.*add_one.*"));
  const auto again = worker.call(correct);
  EXPECT_EQ(again->status, CallStatus::ok) << again->text;
}

TEST_F(KernelOnTheCpu, AWriteBehindTheBufferGoesUnseenHere) {  // the keeper's guard zones find it
  EXPECT_EQ(worker.call(one_behind)->status, CallStatus::ok);
  EXPECT_EQ(worker.out()[WorkerProcess::elements], 1);
}

TEST(SanitizedKernel, AWriteBehindTheBufferIsNamedWithItsLine) {
  const TranslatedKernel kernel(simt::Flavour::asan);
  WorkerProcess worker("mskb-worker-cpu-asan");
  ASSERT_TRUE(worker.load(kernel.object())) << worker.failure();
  ASSERT_TRUE(worker.map_arena());
  const auto called = worker.call(correct);
  ASSERT_TRUE(called.has_value()) << worker.process().output();
  EXPECT_EQ(called->status, CallStatus::ok) << called->text;
  EXPECT_TRUE(worker.correct());

  EXPECT_FALSE(worker.call(one_behind).has_value());
  EXPECT_EQ(worker.end().exit_code, 86);
  EXPECT_THAT(worker.process().output(), HasSubstr("AddressSanitizer: use-after-poison"));
  EXPECT_THAT(worker.process().output(), HasSubstr("kernel.cu:14"));
}

}  // namespace
}  // namespace mskb
