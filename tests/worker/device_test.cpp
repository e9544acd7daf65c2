#include <gmock/gmock.h>

#include "device_memory.hpp"
#include "worker_process.hpp"

namespace mskb {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using wire::CallStatus;
using wire::Clock;

// The values of fixtures/device_kernel.cu.
enum Behaviour { correct, illegal_address, too_many_threads, long_spin };

TEST(CudaWorkerWithoutDevice, SaysSo) {
  if (has_device()) {
    GTEST_SKIP() << "there is a device";
  }
  WorkerProcess worker("mskb-worker", WorkerProcess::Start::may_fail);
  EXPECT_THAT(worker.failure(), ::testing::MatchesRegex("cudaError[A-Za-z]+: .*"));
  EXPECT_EQ(worker.end().exit_code, 3);
}

class CudaWorker : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_device()) {
      GTEST_SKIP() << "no CUDA device";
    }
    memory.emplace(WorkerProcess::arena_bytes);
    std::vector<float> in(WorkerProcess::elements);
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<float>(i);
    }
    cudaMemcpy(memory->address() + WorkerProcess::in_offset, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    worker.emplace("mskb-worker");
    ASSERT_TRUE(worker->load(worker_fixture("device_kernel"))) << worker->failure();
    ASSERT_TRUE(worker->ask<wire::Loaded>(wire::MapArena{memory->bytes()}, memory->descriptor())) << worker->failure();
  }

  wire::Called call(Clock clock, int behaviour, std::uint32_t delay_ns = 0) {
    wire::Call request = worker->request(behaviour);
    request.clock = clock;
    request.warmups = 3;
    request.repeats = 50;
    request.delay_ns = delay_ns;
    const auto called = worker->ask<wire::Called>(request);
    EXPECT_TRUE(called.has_value()) << worker->failure() << worker->process().output();
    return called.value_or(wire::Called{});
  }

  std::optional<DeviceMemory> memory;
  std::optional<WorkerProcess> worker;
};

TEST_F(CudaWorker, ComputesInTheOwnersMemory) {
  const wire::Called called = call(Clock::call, correct);
  EXPECT_EQ(called.status, CallStatus::ok) << called.text;
  EXPECT_GT(called.call_us, 0);
  std::vector<float> out(WorkerProcess::elements);
  cudaMemcpy(out.data(), memory->address() + WorkerProcess::out_offset, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], static_cast<float>(i) + 1);
  }
}

TEST_F(CudaWorker, SpanSeesEveryStreamAndNamesTheKernels) {
  for (int round = 0; round < 3; ++round) {
    const wire::Called called = call(Clock::span, correct);
    EXPECT_EQ(called.status, CallStatus::ok) << called.text;
    EXPECT_EQ(called.activities, 2u);
    EXPECT_EQ(called.launch_kinds, 1u);
    EXPECT_GT(called.span_us, 0);
    EXPECT_GT(called.busy_us, 0);
    EXPECT_LE(called.busy_us, called.span_us);
    EXPECT_LE(called.span_us, called.call_us);
    EXPECT_EQ(call(Clock::call, correct).activities, 0u);
  }
  const auto page = worker->ask<wire::LaunchPage>(wire::AskLaunches{0});
  ASSERT_EQ(page->count, 1u);
  EXPECT_THAT(page->entries[0].kernel, HasSubstr("add_one("));
  EXPECT_EQ(page->entries[0].block[0], 64u);
  EXPECT_EQ(page->entries[0].count, 2u);
  EXPECT_GT(page->entries[0].registers, 0u);
}

TEST_F(CudaWorker, ANullKernelIsMeasuredBesideEveryRecordedCall) {
  const wire::Called called = call(Clock::span, correct);
  EXPECT_GT(called.null_span_us, 0);
  EXPECT_LT(called.null_span_us, called.span_us);
  EXPECT_GT(called.null_host_us, 0);
  EXPECT_EQ(call(Clock::call, correct).null_span_us, 0);
}

TEST_F(CudaWorker, TheDelayLengthensTheSpan) {
  call(Clock::span, correct, 500000);
  const wire::Called called = call(Clock::span, correct, 500000);
  EXPECT_EQ(called.activities, 3u);
  EXPECT_GT(called.busy_us, 400);
  EXPECT_LT(called.busy_us, 700);
}

TEST_F(CudaWorker, BatchWaitsForStreamsThatTheDefaultStreamDoesNot) {
  EXPECT_GT(call(Clock::batch, correct).batch_us, 0);
  EXPECT_GT(call(Clock::batch, long_spin).batch_us, 500);
}

TEST_F(CudaWorker, ALaunchThatIsRefusedFailsAndTheNextCallWorks) {
  const wire::Called called = call(Clock::call, too_many_threads);
  EXPECT_EQ(called.status, CallStatus::launch_failed);
  EXPECT_THAT(called.text, AnyOf(HasSubstr("cudaErrorInvalidConfiguration"), HasSubstr("cudaErrorInvalidValue")));
  EXPECT_EQ(call(Clock::call, correct).status, CallStatus::ok);
}

TEST_F(CudaWorker, AnIllegalAddressIsReportedAndEndsTheProcess) {
  const wire::Called called = call(Clock::call, illegal_address);
  EXPECT_EQ(called.status, CallStatus::context_lost);
  EXPECT_THAT(called.text, HasSubstr("illegal memory access"));
  EXPECT_THAT(called.text, HasSubstr("during the candidate's call"));
  EXPECT_EQ(worker->end().exit_code, 0);
  float value = 0;
  EXPECT_EQ(cudaMemcpy(&value, memory->address() + WorkerProcess::in_offset + 4, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 1);  // the owner's context is intact
}

TEST_F(CudaWorker, LoadsNoLibrariesButTheDriversOwn) {
  call(Clock::call, correct);
  const auto page = worker->ask<wire::LibraryPage>(wire::AskLibraries{0});
  ASSERT_TRUE(page.has_value());
  for (std::uint32_t i = 0; i < page->count; ++i) {
    EXPECT_THAT(page->paths[i], ::testing::MatchesRegex(".*/lib(cuda|nvidia-).*"));
  }
}

}  // namespace
}  // namespace mskb
