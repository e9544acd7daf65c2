#include "profile/metrics.hpp"

#include <fmt/format.h>

namespace mskb {

namespace paper_metric {

const PaperMetric sm_throughput{"SM throughput", {"sm__throughput.avg.pct_of_peak_sustained_elapsed"}};
const PaperMetric issue_slots_busy{
    "issue slots busy", {"sm__inst_issued.avg.pct_of_peak_sustained_active", "smsp__issue_active.avg.pct_of_peak_sustained_active"}};
const PaperMetric ipc_active{"executed IPC active", {"sm__inst_executed.avg.per_cycle_active"}};
const PaperMetric sm_busy{"SM busy", {"sm__instruction_throughput.avg.pct_of_peak_sustained_active"}};
const PaperMetric l2_hit_rate{"L2 hit rate", {"lts__t_sector_hit_rate.pct"}};
const PaperMetric l1_hit_rate{"L1/TEX hit rate", {"l1tex__t_sector_hit_rate.pct"}};
const PaperMetric ipc_elapsed{"executed IPC elapsed", {"sm__inst_executed.avg.per_cycle_elapsed"}};
const PaperMetric mem_busy{"mem busy", {"gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"}};
const PaperMetric dram_throughput{
    "DRAM throughput", {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "dram__throughput.avg.pct_of_peak_sustained_elapsed"}};
const PaperMetric memory_throughput{"memory throughput", {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"}};
const PaperMetric max_bandwidth{"max bandwidth", {"gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"}};
const PaperMetric mem_pipes_busy{"mem pipes busy", {"sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"}};

}  // namespace paper_metric

Reading read_metric(const LaunchProfile& launch, const PaperMetric& metric) {
  Reading reading;
  reading.reason = fmt::format("{} is not in the profiler's report", metric.names.front());
  for (const char* name : metric.names) {
    const auto found = launch.metrics.find(name);
    if (found == launch.metrics.end()) {
      continue;
    }
    if (found->second.value) {
      return {found->second.value, found->second.unit, "", 1};
    }
    reading.reason = fmt::format("the profiler printed '{}' for {}", found->second.text, name);
  }
  return reading;
}

Reading read_metric(const std::vector<KernelProfile>& kernels, const PaperMetric& metric) {
  Reading sum;
  double weights = 0;
  for (const KernelProfile& kernel : kernels) {
    const Reading one = kernel.counters ? read_metric(*kernel.counters, metric) : Reading{{}, "", kernel.reason, 0};
    if (one.value) {
      weights += kernel.share;
      sum.value = sum.value.value_or(0) + *one.value * kernel.share;
      sum.unit = one.unit;
    } else if (sum.reason.empty()) {
      sum.reason = one.reason;
    }
  }
  if (!sum.value || !(weights > 0)) {
    return {{}, "", sum.reason.empty() ? "no kernel was profiled" : sum.reason, 0};
  }
  return {*sum.value / weights, sum.unit, "", weights};
}

}  // namespace mskb
