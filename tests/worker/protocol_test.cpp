#include <gmock/gmock.h>
#include <signal.h>
#include <stdlib.h>

#include <filesystem>

#include "base/subprocess.hpp"
#include "worker_process.hpp"

namespace mskb {
namespace {

using ::testing::HasSubstr;
using wire::CallStatus;

// The values of fixtures/add_one.cpp.
enum Behaviour { correct, throws, unsupported, segfault, aborts, leaves, hangs, writes_behind, chatters };

class CpuWorker : public ::testing::Test {
 protected:
  void prepare() {
    ASSERT_TRUE(worker.load(worker_fixture("add_one"))) << worker.failure();
    ASSERT_TRUE(worker.map_arena()) << worker.failure();
  }
  WorkerProcess worker;
};

TEST_F(CpuWorker, CallsTheCandidateOnTheArena) {
  prepare();
  const auto called = worker.call(correct);
  ASSERT_TRUE(called.has_value()) << worker.failure();
  EXPECT_EQ(called->status, CallStatus::ok);
  EXPECT_STREQ(called->text, "");
  EXPECT_GT(called->call_us, 0);
  EXPECT_EQ(called->span_us, 0);
  EXPECT_TRUE(worker.correct());
}

TEST_F(CpuWorker, BatchRunsThePrologueAndCallsOnce) {
  prepare();
  wire::Call request = worker.request(correct);
  request.clock = wire::Clock::batch;
  request.warmups = 3;
  request.repeats = 50;
  request.prologue = wire::Prologue::set_zero;
  request.prologue_argument = 0;
  ASSERT_TRUE(worker.ask<wire::Called>(request).has_value());
  EXPECT_EQ(worker.in()[7], 0);
  EXPECT_EQ(worker.out()[7], 1);
}

TEST_F(CpuWorker, ReportsWhatTheCandidateThrows) {
  prepare();
  const auto called = worker.call(throws);
  ASSERT_TRUE(called.has_value());
  EXPECT_EQ(called->status, CallStatus::threw);
  EXPECT_STREQ(called->text, "thrown by the fixture");
  EXPECT_EQ(worker.call(correct)->status, CallStatus::ok);  // and goes on
}

TEST_F(CpuWorker, ReportsWhatTheCandidateCannotDo) {
  prepare();
  const auto called = worker.call(unsupported);
  ASSERT_TRUE(called.has_value());
  EXPECT_EQ(called->status, CallStatus::unsupported);
  EXPECT_STREQ(called->text, "cannot do this");
}

TEST_F(CpuWorker, ASegmentationFaultEndsTheProcess) {
  prepare();
  EXPECT_FALSE(worker.call(segfault).has_value());
  EXPECT_EQ(worker.end().signal, SIGSEGV);
}

TEST_F(CpuWorker, AnAbortEndsTheProcess) {
  prepare();
  EXPECT_FALSE(worker.call(aborts).has_value());
  EXPECT_EQ(worker.end().signal, SIGABRT);
}

TEST_F(CpuWorker, AnExitEndsTheProcess) {
  prepare();
  EXPECT_FALSE(worker.call(leaves).has_value());
  EXPECT_EQ(worker.end().exit_code, 5);
}

TEST_F(CpuWorker, AHangIsKilledFromOutside) {
  prepare();
  EXPECT_FALSE(worker.ask<wire::Called>(worker.request(hangs), -1, std::chrono::milliseconds(100)).has_value());
  EXPECT_EQ(worker.process().kill().signal, SIGKILL);
}

TEST_F(CpuWorker, PrintingAHundredMegabytesDoesNotBlock) {
  prepare();
  const auto called = worker.call(chatters);
  ASSERT_TRUE(called.has_value());
  EXPECT_EQ(called->status, CallStatus::ok);
  EXPECT_TRUE(worker.process().output_cut());
  EXPECT_EQ(worker.process().output().size(), 65536u);
}

TEST_F(CpuWorker, NamesAnUndefinedSymbol) {
  EXPECT_FALSE(worker.load(worker_fixture("undefined_symbol")));
  EXPECT_THAT(worker.failure(), HasSubstr("undefined symbol"));
  EXPECT_THAT(worker.failure(), HasSubstr("nobody_defines_this"));
  EXPECT_THAT(worker.failure(), ::testing::Not(HasSubstr("/proc/")));
}

TEST_F(CpuWorker, RefusesAnObjectWithoutTheEntry) {
  EXPECT_FALSE(worker.load(worker_fixture("no_entry")));
  EXPECT_EQ(worker.failure(), "the shared object does not define mskb_invoke");
}

TEST_F(CpuWorker, RefusesAFileThatIsNoSharedObject) {
  EXPECT_FALSE(worker.load(MSKB_SOURCE_DIR "/CMakeLists.txt"));
  EXPECT_THAT(worker.failure(), HasSubstr("invalid ELF header"));
}

TEST_F(CpuWorker, AnExitWhileLoadingEndsTheProcess) {
  EXPECT_FALSE(worker.load(worker_fixture("exits_when_loaded")));
  EXPECT_EQ(worker.end().exit_code, 9);
}

TEST_F(CpuWorker, LoadsASecondCandidateInPlaceOfTheFirst) {
  EXPECT_FALSE(worker.load(worker_fixture("no_entry")));
  prepare();
  EXPECT_EQ(worker.call(correct)->status, CallStatus::ok);
  EXPECT_TRUE(worker.correct());
}

TEST_F(CpuWorker, ListsLibrariesThatACallOpens) {
  ASSERT_TRUE(worker.load(worker_fixture("opens_library")));
  ASSERT_TRUE(worker.map_arena());
  EXPECT_EQ(worker.ask<wire::LibraryPage>(wire::AskLibraries{0})->total, 0u);
  for (int call = 0; call < 2; ++call) {  // the second one closes it
    EXPECT_EQ(worker.call(0)->status, CallStatus::ok);
    const auto page = worker.ask<wire::LibraryPage>(wire::AskLibraries{0});
    ASSERT_TRUE(page.has_value());
    ASSERT_EQ(page->total, 1u);
    ASSERT_EQ(page->count, 1u);
    EXPECT_EQ(std::filesystem::path(page->paths[0]).filename(), "libutil.so.1");
  }
  EXPECT_EQ(worker.ask<wire::LibraryPage>(wire::AskLibraries{1})->count, 0u);
}

TEST_F(CpuWorker, RefusesACallBeforeItHasCandidateAndArena) {
  EXPECT_FALSE(worker.call(correct).has_value());
  EXPECT_THAT(worker.failure(), HasSubstr("before a candidate"));
  ASSERT_TRUE(worker.load(worker_fixture("add_one")));
  EXPECT_FALSE(worker.call(correct).has_value());
  EXPECT_THAT(worker.failure(), HasSubstr("before an arena"));
}

TEST_F(CpuWorker, RefusesBuffersOutsideTheArena) {
  prepare();
  wire::Call request = worker.request(correct);
  request.offsets[1] = WorkerProcess::arena_bytes - 8;
  EXPECT_FALSE(worker.ask<wire::Called>(request).has_value());
  EXPECT_THAT(worker.failure(), HasSubstr("argument 1 lies outside the arena"));
  request.offsets[1] = ~0ull - 8;
  EXPECT_FALSE(worker.ask<wire::Called>(request).has_value());
}

TEST_F(CpuWorker, AnswersAnUnknownMessageWithAFailure) {
  EXPECT_FALSE(worker.ask<wire::Called>(wire::WorkerReady{}).has_value());
  EXPECT_THAT(worker.failure(), HasSubstr("unknown kind 100"));
}

TEST(CpuWorkerProgram, RefusesToRunByHand) {
  const SubprocessResult result = run_subprocess({std::string(MSKB_BINARY_DIR) + "/mskb-worker-cpu"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("is started by mskb"));
}

}  // namespace
}  // namespace mskb
