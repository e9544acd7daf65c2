#pragma once
#include <optional>
#include <string>
#include <vector>

#include "profile/metrics.hpp"

namespace mskb {

// The paper's three classes of kernels.
enum class Bottleneck { compute, memory_latency, memory_bandwidth };

const char* to_string(Bottleneck bottleneck);  // "compute bound", ...

// Percent of the device's peak above which a throughput counts as high.
struct Thresholds {
  double compute = 30, dram = 30, memory = 30;
  std::string source = "the paper's default";
};

struct Throughputs {
  Reading compute, dram, memory;  // percent of the peak
};

struct Classification {
  std::optional<Bottleneck> bottleneck;
  std::string reason;  // why there is none
};

// compute > its threshold: compute bound; else DRAM or memory > theirs: memory bandwidth bound; else memory latency bound.
Classification classify(const Throughputs& throughputs, const Thresholds& thresholds);

// The metrics that the filter keeps for a class.
const std::vector<PaperMetric>& metrics_of(Bottleneck bottleneck);

template <class Subject>
Throughputs throughputs_of(const Subject& subject) {
  return {read_metric(subject, paper_metric::sm_throughput), read_metric(subject, paper_metric::dram_throughput),
          read_metric(subject, paper_metric::memory_throughput)};
}

}  // namespace mskb
