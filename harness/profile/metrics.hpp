#pragma once
#include <optional>
#include <string>
#include <vector>

#include "profile/kernel_profile.hpp"

namespace mskb {

// A figure that the paper's filter speaks of, and the profiler's names for it, the newest first.
struct PaperMetric {
  const char* name;
  std::vector<const char*> names;
};

namespace paper_metric {
extern const PaperMetric sm_throughput, issue_slots_busy, ipc_active, sm_busy;           // compute bound
extern const PaperMetric l2_hit_rate, l1_hit_rate, ipc_elapsed, mem_busy;                // memory latency bound
extern const PaperMetric dram_throughput, memory_throughput, max_bandwidth, mem_pipes_busy;  // memory bandwidth bound
}  // namespace paper_metric

struct Reading {
  std::optional<double> value;
  std::string unit;
  std::string reason;  // why there is no value
  double covers = 1;   // share of the kernels' time that the value speaks of
};

Reading read_metric(const LaunchProfile& launch, const PaperMetric& metric);
// Over the kernels that have it, each with the weight of its time.
Reading read_metric(const std::vector<KernelProfile>& kernels, const PaperMetric& metric);

}  // namespace mskb
