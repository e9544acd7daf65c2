#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "candidate.hpp"
#include "simt/include/mskb_simt/driver_types.h"
#include "simt/runtime.hpp"

namespace mskb::simt {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Faults : public ::testing::Test {
 protected:
  void SetUp() override { reset(); }
  // Whatever went wrong, the next call works.
  void TearDown() override {
    set_step_limit(4'000'000);
    reset();
    int sum = 0;
    EXPECT_EQ(faults.call<int>("good", &sum), cudaSuccess);
    EXPECT_EQ(sum, 200);
    EXPECT_THAT(take_report().faults, IsEmpty());
  }
  Fault only_fault() {
    const auto report = take_report();
    EXPECT_EQ(report.faults.size(), 1U);
    return report.faults.empty() ? Fault{} : report.faults[0];
  }
  void expect_line(const Fault& fault, const std::string& mark) {
    EXPECT_THAT(fault.file, EndsWith("faults.cu"));
    EXPECT_EQ(fault.line, testing::marked_line("faults", mark));
  }
  const testing::Candidate faults{"faults"};
  std::vector<int> out = std::vector<int>(64, 0);
};

TEST_F(Faults, BarrierDivergence) {
  EXPECT_EQ(faults.call<int>("divergence", out.data()), cudaErrorLaunchFailure);
  const auto fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::barrier_divergence);
  EXPECT_TRUE(fault.abandoned);
  EXPECT_EQ(fault.kernel, "divergent_kernel");
  EXPECT_THAT(fault.thread, ElementsAre(16, 0, 0));
  expect_line(fault, "divergence");
  EXPECT_EQ(out[0], 0);
}

TEST_F(Faults, Deadlock) {
  EXPECT_EQ(faults.call<int>("deadlock", out.data()), cudaErrorLaunchTimeout);
  const auto fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::deadlock);
  EXPECT_THAT(fault.message, HasSubstr("threads 3-3 wait at the barrier of line " +
                                       std::to_string(testing::marked_line("faults", "deadlock"))));
  EXPECT_THAT(fault.message, HasSubstr("missing lanes 0x00000008"));
}

TEST_F(Faults, LaneThatTakesNoPartIsRead) {
  EXPECT_EQ(faults.call<int>("inactive", out.data()), cudaSuccess);
  const auto fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::inactive_lane);
  EXPECT_FALSE(fault.abandoned);
  EXPECT_EQ(fault.times, 8U);
  EXPECT_THAT(fault.message, HasSubstr("lane 8 of warp 0 reads lane 16"));
  expect_line(fault, "inactive");
  EXPECT_EQ(out[7], 15);
  EXPECT_EQ(static_cast<unsigned>(out[8]), 0xCBCBCBCB);
}

TEST_F(Faults, CallerIsNotInItsMask) {
  faults.call<int>("not_in_mask", out.data());
  const auto fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::lane_not_in_mask);
  expect_line(fault, "mask");
}

TEST_F(Faults, SharedOverflow) {
  faults.call<int>("shared_overflow", out.data());
  const auto fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::shared_overflow);
  EXPECT_EQ(fault.times, 2U);
  EXPECT_THAT(
      fault.message,
      HasSubstr("out of bounds: a thread of this block wrote 0 bytes behind its end; __shared__ values has 32 bytes"));
  expect_line(fault, "overflow");
}

TEST_F(Faults, TooMuchSharedMemory) {
  EXPECT_EQ(faults.call<int>("too_much_static", out.data()), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(only_fault().kind, FaultKind::shared_limit);
  reset();
  EXPECT_EQ(faults.call<int>("too_much_dynamic", out.data()), cudaErrorInvalidValue);
  const auto fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::launch_limit);
  EXPECT_THAT(fault.message, HasSubstr("65536 bytes of dynamic shared memory"));
}

TEST_F(Faults, TooManyThreads) {
  EXPECT_EQ(faults.call<int>("too_many_threads", out.data()), cudaErrorInvalidConfiguration);
  EXPECT_EQ(only_fault().kind, FaultKind::launch_limit);
}

TEST_F(Faults, GlobalOverflow) {
  EXPECT_EQ(faults.call<int>("global_overflow", 10), cudaSuccess);
  const auto fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::global_overflow);
  EXPECT_EQ(fault.kernel, "write_kernel");
}

TEST_F(Faults, CopyBeyondAnAllocation) {
  EXPECT_EQ(faults.call<int>("copy_too_much", 10), cudaErrorInvalidValue);
  EXPECT_EQ(only_fault().kind, FaultKind::copy_out_of_bounds);
}

TEST_F(Faults, FreeTwice) {
  EXPECT_EQ(faults.call<int>("free_twice"), cudaErrorInvalidValue);
  EXPECT_EQ(only_fault().kind, FaultKind::invalid_free);
}

TEST_F(Faults, LeaksAreKnown) {
  const void* leaked = faults.call<void*>("leak", 24);
  ASSERT_EQ(live_allocations().size(), 1U);
  EXPECT_EQ(live_allocations()[0].address, leaked);
  EXPECT_EQ(live_allocations()[0].bytes, 24U);
}

TEST_F(Faults, SpinningWithoutEnd) {
  set_step_limit(1000);
  EXPECT_EQ(faults.call<int>("spin_forever", out.data()), cudaErrorLaunchTimeout);
  EXPECT_EQ(only_fault().kind, FaultKind::step_limit);
}

TEST_F(Faults, AssertAndTrap) {
  EXPECT_EQ(faults.call<int>("failed_assert", 4), cudaSuccess);
  EXPECT_EQ(faults.call<int>("failed_assert", 3), cudaErrorAssert);
  const auto fault = only_fault();
  EXPECT_EQ(fault.kind, FaultKind::trap);
  EXPECT_THAT(fault.message, HasSubstr("n > 3"));
  reset();
  EXPECT_EQ(faults.call<int>("trap"), cudaErrorAssert);
  EXPECT_EQ(only_fault().kind, FaultKind::trap);
}

TEST_F(Faults, AfterAFaultNothingRunsUntilReset) {
  int sum = 0;
  faults.call<int>("divergence", out.data());
  EXPECT_EQ(faults.call<int>("good", &sum), cudaErrorLaunchFailure);
  EXPECT_EQ(sum, 0);
  reset();
  EXPECT_EQ(faults.call<int>("good", &sum), cudaSuccess);
  EXPECT_EQ(sum, 200);
}

TEST_F(Faults, CrashNamesKernelAndThread) {
  EXPECT_EXIT(faults.call<int>("crash", 0), ::testing::KilledBySignal(SIGSEGV),
              "illegal memory access at address 0x10 in kernel crash_kernel, block \\(0,0,0\\), thread \\(2,0,0\\)");
  EXPECT_EXIT(faults.call<int>("crash", 1), ::testing::KilledBySignal(SIGFPE),
              "integer division by zero in kernel crash_kernel");
  EXPECT_EXIT(faults.call<int>("crash", 2), ::testing::KilledBySignal(SIGSEGV),
              "local memory overflow.*recursive_kernel");
}

// What simt-asan-host prints about fixtures/<name>.cu; `entries` are called one after another.
std::string run_sanitized(const std::string& name, const std::string& entries, int number) {
  const std::string command = "ASAN_OPTIONS=detect_leaks=0 " + std::string(MSKB_BINARY_DIR) + "/simt-asan-host " +
                              testing::build_candidate(name, Flavour::asan) + " " + std::to_string(number) + " " +
                              entries + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), count);
  pclose(pipe);
  return text;
}

TEST(Sanitized, HeapOverflowNamesTheLineOfTheSource) {
  const std::string text = run_sanitized("faults", "global_overflow", 10);
  EXPECT_THAT(text, HasSubstr("heap-buffer-overflow"));
  EXPECT_THAT(text, HasSubstr("faults.cu:" + std::to_string(testing::marked_line("faults", "out of bounds"))));
}

TEST(Sanitized, SharedOverflowInATemplateIsFound) {
  const std::string text = run_sanitized("sanitized", "shared_overflow", 8);
  EXPECT_THAT(text, HasSubstr("heap-buffer-overflow"));
  EXPECT_THAT(text, HasSubstr("sanitized.cu:" + std::to_string(testing::marked_line("sanitized", "overflow"))));
  EXPECT_THAT(run_sanitized("sanitized", "shared_overflow", 7), EndsWith("result 0\n"));
}

TEST(Sanitized, FibersAndAbandonedLaunchesRaiseNoFalseAlarm) {
  EXPECT_EQ(run_sanitized("sanitized", "many_fibers", 1000), "result 0\n");
  EXPECT_EQ(run_sanitized("patterns", "softmax gemm last_block scan compact bf16_silu float_max", 132),
            "result 0\nresult 0\nresult 0\nresult 0\nresult 0\nresult 0\nresult 0\n");
  const std::string text = run_sanitized("sanitized", "divergent good divergent good", 200);
  EXPECT_THAT(text, HasSubstr("result 719\nbarrier_divergence"));
  EXPECT_THAT(text, EndsWith("result 0\n"));
}

}  // namespace
}  // namespace mskb::simt
