#include "profile/bottleneck.hpp"

#include <gmock/gmock.h>

#include "fixture.hpp"

namespace mskb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Throughputs percent(double compute, double dram, double memory) {
  return {{compute, "%", "", 1}, {dram, "%", "", 1}, {memory, "%", "", 1}};
}

std::vector<std::string> names(Bottleneck bottleneck) {
  std::vector<std::string> all;
  for (const PaperMetric& metric : metrics_of(bottleneck)) {
    all.push_back(metric.name);
  }
  return all;
}

TEST(Classes, FollowThePapersRule) {
  const Thresholds paper;
  EXPECT_EQ(classify(percent(31, 90, 90), paper).bottleneck, Bottleneck::compute);
  EXPECT_EQ(classify(percent(29, 31, 5), paper).bottleneck, Bottleneck::memory_bandwidth);
  EXPECT_EQ(classify(percent(29, 5, 31), paper).bottleneck, Bottleneck::memory_bandwidth);
  EXPECT_EQ(classify(percent(29, 29, 29), paper).bottleneck, Bottleneck::memory_latency);
  EXPECT_EQ(classify(percent(30, 30, 30), paper).bottleneck, Bottleneck::memory_latency) << "the threshold itself is not above it";
}

TEST(Classes, FollowADevicesOwnThresholds) {
  const Thresholds own{20, 40, 50, "test"};
  EXPECT_EQ(classify(percent(21, 0, 0), own).bottleneck, Bottleneck::compute);
  EXPECT_EQ(classify(percent(19, 39, 49), own).bottleneck, Bottleneck::memory_latency);
  EXPECT_EQ(classify(percent(19, 39, 51), own).bottleneck, Bottleneck::memory_bandwidth);
}

TEST(Classes, AreUnknownOnlyWhereAMissingThroughputDecides) {
  const Reading none{{}, "", "no counter", 0};
  Throughputs throughputs = percent(10, 10, 10);
  throughputs.dram = none;
  EXPECT_FALSE(classify(throughputs, {}).bottleneck);
  EXPECT_EQ(classify(throughputs, {}).reason, "no counter");
  throughputs.memory.value = 60;
  EXPECT_EQ(classify(throughputs, {}).bottleneck, Bottleneck::memory_bandwidth);
  throughputs.compute = none;
  EXPECT_FALSE(classify(throughputs, {}).bottleneck);
}

TEST(Classes, KeepThePapersMetrics) {
  EXPECT_THAT(names(Bottleneck::compute), ElementsAre("SM throughput", "issue slots busy", "executed IPC active", "SM busy"));
  EXPECT_THAT(names(Bottleneck::memory_latency), ElementsAre("L2 hit rate", "L1/TEX hit rate", "executed IPC elapsed", "mem busy"));
  EXPECT_THAT(names(Bottleneck::memory_bandwidth), ElementsAre("DRAM throughput", "memory throughput", "max bandwidth", "mem pipes busy"));
}

// Originals profiled on an H200: a product that keeps its multiprocessors busy, one block that waits for memory, and rows that 32 threads read alike.
TEST(StoredProfiles, HaveTheClassThatTheirKernelsAreKnownFor) {
  const auto bottleneck = [](const std::string& name) {
    const Profile profile = test::profile_of(name);
    return classify(throughputs_of(profile.kernels), {}).bottleneck;
  };
  EXPECT_EQ(bottleneck("matrix_mul-reference-h200"), Bottleneck::compute);
  EXPECT_EQ(bottleneck("silu_and_mul-reference-h200"), Bottleneck::memory_latency);
  EXPECT_EQ(bottleneck("spmv_csr-reference-h200"), Bottleneck::memory_bandwidth);
}

TEST(StoredProfiles, HaveThePapersMetricsOfTheirClass) {
  const auto value = [](const std::string& name, const PaperMetric& metric) {
    return read_metric(test::profile_of(name).kernels, metric).value.value_or(-1);
  };
  using namespace paper_metric;
  EXPECT_EQ(value("matrix_mul-reference-h200", sm_throughput), 66.33);
  EXPECT_EQ(value("matrix_mul-reference-h200", issue_slots_busy), 37.96);
  EXPECT_EQ(value("matrix_mul-reference-h200", ipc_active), 1.52);
  EXPECT_EQ(value("silu_and_mul-reference-h200", l2_hit_rate), 36.09);
  EXPECT_EQ(value("silu_and_mul-reference-h200", l1_hit_rate), 0);
  EXPECT_EQ(value("silu_and_mul-reference-h200", ipc_elapsed), 0.05);
  EXPECT_EQ(value("silu_and_mul-reference-h200", mem_busy), 1.48);
  EXPECT_EQ(value("spmv_csr-reference-h200", dram_throughput), 1.93);
  EXPECT_EQ(value("spmv_csr-reference-h200", memory_throughput), 43.18);
  EXPECT_EQ(value("spmv_csr-reference-h200", max_bandwidth), 19.14);
  EXPECT_EQ(value("spmv_csr-reference-h200", mem_pipes_busy), 13.86);
}

TEST(Readings, AreWeightedByTime) {
  const Profile profile = test::profile_of("synthetic-two-kernels");
  const Reading reading = read_metric(profile.kernels, paper_metric::dram_throughput);
  EXPECT_DOUBLE_EQ(*reading.value, (60.0 * 75 + 4.0 * 5) / 80);
  EXPECT_DOUBLE_EQ(reading.covers, 1);
}

TEST(Readings, SayWhatPartOfTheTimeTheyCover) {
  Profile profile = test::profile_of("synthetic-two-kernels");
  profile.kernels[1].counters.reset();
  profile.kernels[1].reason = "it could not be profiled";
  const Reading reading = read_metric(profile.kernels, paper_metric::dram_throughput);
  EXPECT_DOUBLE_EQ(*reading.value, 60);
  EXPECT_DOUBLE_EQ(reading.covers, 75.0 / 80);
}

TEST(Readings, AreNothingWithAReasonWhereTheCounterIsMissing) {
  const Profile profile = test::profile_of("silu_and_mul-h200");  // the compute section was not collected
  const Reading reading = read_metric(profile.kernels, paper_metric::ipc_elapsed);
  EXPECT_FALSE(reading.value);
  EXPECT_EQ(reading.reason, "sm__inst_executed.avg.per_cycle_elapsed is not in the profiler's report");
}

TEST(Readings, TakeAnOlderVersionsName) {
  LaunchProfile launch;
  launch.metrics["dram__throughput.avg.pct_of_peak_sustained_elapsed"] = {41, "%", ""};
  EXPECT_EQ(read_metric(launch, paper_metric::dram_throughput).value, 41);
  launch.metrics["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = {{}, "%", "n/a"};
  EXPECT_EQ(read_metric(launch, paper_metric::dram_throughput).value, 41);
  EXPECT_THAT(read_metric(launch, paper_metric::sm_busy).reason, HasSubstr("sm__instruction_throughput"));
}

}  // namespace
}  // namespace mskb
