#include "profile/bottleneck.hpp"

namespace mskb {

const char* to_string(Bottleneck bottleneck) {
  switch (bottleneck) {
    case Bottleneck::compute: return "compute bound";
    case Bottleneck::memory_latency: return "memory latency bound";
    case Bottleneck::memory_bandwidth: return "memory bandwidth bound";
  }
  return "";
}

Classification classify(const Throughputs& throughputs, const Thresholds& thresholds) {
  const auto above = [](const Reading& reading, double threshold) { return reading.value && *reading.value > threshold; };
  if (!throughputs.compute.value) {
    return {{}, throughputs.compute.reason};
  }
  if (above(throughputs.compute, thresholds.compute)) {
    return {Bottleneck::compute, ""};
  }
  if (above(throughputs.dram, thresholds.dram) || above(throughputs.memory, thresholds.memory)) {
    return {Bottleneck::memory_bandwidth, ""};
  }
  if (!throughputs.dram.value || !throughputs.memory.value) {
    return {{}, throughputs.dram.value ? throughputs.memory.reason : throughputs.dram.reason};
  }
  return {Bottleneck::memory_latency, ""};
}

const std::vector<PaperMetric>& metrics_of(Bottleneck bottleneck) {
  using namespace paper_metric;
  static const std::vector<PaperMetric> compute{sm_throughput, issue_slots_busy, ipc_active, sm_busy};
  static const std::vector<PaperMetric> latency{l2_hit_rate, l1_hit_rate, ipc_elapsed, mem_busy};
  static const std::vector<PaperMetric> bandwidth{dram_throughput, memory_throughput, max_bandwidth, mem_pipes_busy};
  return bottleneck == Bottleneck::compute ? compute : bottleneck == Bottleneck::memory_latency ? latency : bandwidth;
}

}  // namespace mskb
