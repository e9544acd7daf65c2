#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "candidate.hpp"
#include "simt/runtime.hpp"

namespace mskb::simt {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Execute : public ::testing::Test {
 protected:
  void SetUp() override { reset(); }
  // Every kernel here is a good one.
  void TearDown() override {
    for (const auto& fault : take_report().faults) ADD_FAILURE() << name(fault.kind) << ": " << fault.message;
    EXPECT_THAT(live_allocations(), IsEmpty());
    set_order(ScheduleOrder::forward);
  }
  static const testing::Candidate& candidate(const std::string& name) {
    static std::map<std::string, testing::Candidate> loaded;
    return loaded.try_emplace(name, name).first->second;
  }
  const testing::Candidate& kernels = candidate("kernels");
};

TEST_F(Execute, LaunchesOfEveryForm) {
  const auto& launches = candidate("launches");
  EXPECT_EQ(launches.call<int>("plain"), 1 + 2 + 4);
  EXPECT_EQ(launches.call<int>("templates"), 3 + 10 + 100 + 1000);
  EXPECT_EQ(launches.call<int>("choices", 1), 1 + 10 + 20 + 300 + 1 + 1000 + 7 - 20);
  EXPECT_EQ(launches.call<int>("choices", 0), 2 + 20 + 300 + 1 + 1000 + 7);
  EXPECT_EQ(launches.call<int>("conversions"), 1 + 1 + 2 + 3 + 60);
  EXPECT_EQ(launches.call<int>("pointers"), 1 + 2 + 4 + 8 + 16 + 16);
  EXPECT_EQ(launches.call<int>("macros"), 1 + 2 + 1 + 4 + 1);
  EXPECT_EQ(launches.call<int>("nested"), 1 + 10 + 100);
  EXPECT_EQ(launches.call<int>("evaluated_once"), 2000 + 64 * 1 + 64 * 2);
  EXPECT_EQ(launches.call<int>("noinline_function"), 42);
}

TEST_F(Execute, SharedDeclarationsOfEveryForm) {
  const auto& shared = candidate("shared");
  EXPECT_EQ(shared.call<int>("shared_forms"), 1 + 2 + 4 + 8 + 16 + 32 + 64 + 128);
  std::vector<int> counts(3);
  EXPECT_EQ(shared.call<int>("shared_in_function", counts.data()), 0);
  EXPECT_THAT(counts, ElementsAre(50, 50, 50));
  EXPECT_EQ(shared.call<int>("shared_dynamic"), 6 + 6000);
  EXPECT_EQ(shared.call<int>("shared_at_file_scope"), 3);
}

TEST_F(Execute, SharedMemoryIsPoisonedBeforeEachBlock) {
  std::vector<unsigned> found(2);
  candidate("shared").call<void>("shared_fresh", found.data());
  EXPECT_THAT(found, Each(0xCBCBCBCB));
}

TEST_F(Execute, Add) {
  std::vector<float> a(1000), b(1000), c(1001, -1);
  std::iota(a.begin(), a.end(), 0.0F);
  std::iota(b.begin(), b.end(), 5.0F);
  kernels.call<void>("add", a.data(), b.data(), c.data(), 1000);
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(c[i], a[i] + b[i]);
  EXPECT_EQ(c[1000], -1);
}

TEST_F(Execute, TiledMatrixProduct) {
  const int n = 37;
  std::vector<float> a(static_cast<std::size_t>(n * n)), b(a.size()), c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7), b[i] = static_cast<float>(i % 5);
  kernels.call<void>("matmul", a.data(), b.data(), c.data(), n);
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[static_cast<std::size_t>(row * n + k)] * b[static_cast<std::size_t>(k * n + column)];
      ASSERT_EQ(c[static_cast<std::size_t>(row * n + column)], sum);
    }
  }
}

class EveryOrder : public Execute, public ::testing::WithParamInterface<ScheduleOrder> {};
INSTANTIATE_TEST_SUITE_P(Orders, EveryOrder,
                         ::testing::Values(ScheduleOrder::forward, ScheduleOrder::reverse, ScheduleOrder::shuffled));

TEST_P(EveryOrder, ReductionsGiveTheSum) {
  set_order(GetParam(), 11);
  std::vector<int> x(5000);
  std::iota(x.begin(), x.end(), -100);
  const int want = std::accumulate(x.begin(), x.end(), 0);
  for (const char* entry : {"tree", "shuffle"}) {
    int sum = 0;
    kernels.call<void>(entry, x.data(), &sum, 5000);
    EXPECT_EQ(sum, want) << entry;
  }
}

TEST_P(EveryOrder, ThreadsThatLeftAreNotWaitedFor) {
  set_order(GetParam(), 12);
  for (const int n : {1, 31, 32, 33, 99}) {
    std::vector<int> out(100, -1);
    kernels.call<void>("early_return", out.data(), n);
    EXPECT_EQ(std::count(out.begin(), out.end(), n), n);
    EXPECT_EQ(std::count(out.begin(), out.end(), -1), 100 - n);
  }
}

TEST_P(EveryOrder, DisjointMasksShuffleIndependently) {
  set_order(GetParam(), 13);
  std::vector<int> out(32);
  kernels.call<void>("halves", out.data());
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[static_cast<std::size_t>(lane)], lane < 16 ? 120 : lane == 16 ? 124 : 124);
}

TEST_P(EveryOrder, Votes) {
  set_order(GetParam(), 14);
  std::vector<unsigned> out(10);
  kernels.call<void>("votes", out.data());
  EXPECT_THAT(out, ElementsAre(0xAAAAAAAA, 1, 0, 496, static_cast<unsigned>(-31), 0x0000FF00, 0x000003FF, 3, 1, 0));
}

TEST_P(EveryOrder, SpinningOnALockLetsItsHolderRun) {
  set_order(GetParam(), 15);
  std::vector<int> order(64, -1);
  static int guarded = 0;
  guarded += 64;
  EXPECT_EQ(kernels.call<int>("spin_lock", order.data()), guarded);
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 64U);
}

TEST_P(EveryOrder, WaitingForAFlagLetsItsSetterRun) {
  set_order(GetParam(), 16);
  int flag = 0, out = 0;
  kernels.call<void>("wait_for_flag", &flag, &out);
  EXPECT_EQ(out, 3);
}

TEST_P(EveryOrder, ThreadsKnowWhereTheyAre) {
  set_order(GetParam(), 17);
  std::vector<unsigned> out(12 * 24);
  kernels.call<void>("where", out.data());
  for (unsigned i = 0; i < out.size(); ++i) {
    const unsigned thread = i % 24;
    ASSERT_EQ(out[i], i / 24 * 1000 + thread / 6 * 100 + thread / 3 % 2 * 10 + thread % 3);
  }
}

TEST_P(EveryOrder, IdiomsOfOptimizedCode) {
  set_order(GetParam(), 18);
  const auto& patterns = candidate("patterns");
  for (const char* entry : {"softmax", "gemm", "last_block", "scan", "compact", "bf16_silu", "float_max"}) {
    for (const int size : {1, 33, 64, 100}) EXPECT_EQ(patterns.call<int>(entry, size), 0) << entry << " " << size;
  }
}

TEST_F(Execute, ThreadsStartInTheOrderAsked) {
  const auto started = [&](ScheduleOrder order, std::uint64_t seed) {
    set_order(order, seed);
    int next = 0;
    std::vector<int> out(16);
    kernels.call<void>("start_order", &next, out.data());
    return out;
  };
  std::vector<int> forward(16);
  std::iota(forward.begin(), forward.end(), 0);
  EXPECT_EQ(started(ScheduleOrder::forward, 0), forward);
  EXPECT_EQ(started(ScheduleOrder::reverse, 0), std::vector<int>(forward.rbegin(), forward.rend()));
  const auto shuffled = started(ScheduleOrder::shuffled, 1);
  EXPECT_NE(shuffled, forward);
  EXPECT_THAT(shuffled, ::testing::UnorderedElementsAreArray(forward));
  EXPECT_EQ(started(ScheduleOrder::shuffled, 1), shuffled);
  EXPECT_NE(started(ScheduleOrder::shuffled, 2), shuffled);
}

TEST_F(Execute, ConstantsAndSymbols) {
  std::vector<float> out(4);
  EXPECT_EQ(kernels.call<int>("constants", out.data()), 0);
  EXPECT_THAT(out, ElementsAre(1, 2, 3, 4));
  const auto report = take_report();
  ASSERT_EQ(report.faults.size(), 1U);
  EXPECT_EQ(report.faults[0].kind, FaultKind::copy_out_of_bounds);
}

TEST_F(Execute, MemoryStreamsAndEvents) { EXPECT_EQ(kernels.call<int>("memory", 1000), 0); }

TEST_F(Execute, CapturedWorkRunsWhenTheGraphIsLaunched) {
  std::vector<int> out(8, -1);
  EXPECT_EQ(kernels.call<int>("graph", out.data()), -1);
  EXPECT_THAT(out, ElementsAre(4, 4, 4, 4, -1, -1, 0, 0));
}

TEST_F(Execute, LaunchesAreRecorded) {
  int sum = 0;
  std::vector<int> x(200, 1);
  kernels.call<void>("tree", x.data(), &sum, 200);
  kernels.call<void>("matmul", static_cast<float*>(nullptr), static_cast<float*>(nullptr), static_cast<float*>(nullptr),
                     0);
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].name, "tree_kernel");
  EXPECT_THAT(launches[0].grid, ElementsAre(2, 1, 1));
  EXPECT_THAT(launches[0].block, ElementsAre(128, 1, 1));
  EXPECT_EQ(launches[0].dynamic_shared_bytes, 512U);
  EXPECT_EQ(launches[0].static_shared_bytes, 0U);
  ASSERT_EQ(take_report().faults.size(), 1U);  // the empty grid
}

}  // namespace
}  // namespace mskb::simt
