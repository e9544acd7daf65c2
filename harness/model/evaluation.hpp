#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/verdict.hpp"

namespace mskb {

// One output's distance from truth, over all calls of the evaluation: the worst.
struct OutputError {
  std::string output;
  std::uint64_t checked = 0, refused = 0, unwritten = 0, not_finite = 0;
  double worst_ratio = 0;       // error over its bound; at most 1 when accepted
  double l2 = 0;                // relative L2 over the checked elements
  double worst_absolute = 0;
  std::int64_t first_refused = -1;
  double got = 0, want = 0;     // at first_refused
};

// One kernel of the candidate as it was launched.
struct KernelLaunch {
  std::string kernel;
  std::uint32_t grid[3] = {0, 0, 0}, block[3] = {0, 0, 0};
  std::uint32_t registers = 0;
  std::uint32_t static_shared = 0, dynamic_shared = 0;  // bytes
  std::uint32_t count = 1;                              // equal launches in one call
};

// A clock's samples of this candidate in this case; microseconds.
struct ClockSamples {
  std::vector<double> rounds;  // the median of each round (strict), or one figure (paper)
  double median = 0;
};

// Ratio reference / candidate of one clock inside a group, from paired rounds.
struct SpeedupEstimate {
  double value = 1, low = 1, high = 1;  // 95 % Student interval on the logs
  int rounds = 0;
  bool decided = false;                 // the interval reached +-1 %
  std::string verdict;                  // faster, slower, same, undecided
};

struct Timing {
  std::string protocol;                               // strict, paper
  std::map<std::string, ClockSamples> clocks;         // batch, call, span, busy
  std::map<std::string, SpeedupEstimate> speedups;    // by clock, against the group's reference
  double null_kernel_us = 0;                          // span of a null kernel in the same worker
  bool launch_bound = false;                          // span under 3 null kernels
  bool stories_differ = false;                        // call and span tell ratios that differ by more than 10 %
  bool generations_differ = false;                    // the candidate's two processes tell ratios that differ by more than rounds do
  double first_call_us = 0;
  double clock_mhz = 0;                               // of the multiprocessors between the rounds, median; 0 where it was not measured
  int dropped_rounds = 0;                             // rounds taken out because the clock fell
  bool clock_unsteady = false;                        // rounds with a fallen clock are among those kept

  // By the device's clock where activity was recorded, else by the host's; null without either.
  const SpeedupEstimate* cold_speedup() const {
    for (const char* clock : {"span", "call"}) {
      if (const auto found = speedups.find(clock); found != speedups.end()) {
        return &found->second;
      }
    }
    return nullptr;
  }
};

// One case x one candidate. A timing exists only together with a pass; the store refuses anything else.
struct Evaluation {
  std::string id;                     // hash of run, case and candidate; what `mskb rerun` takes
  std::string group;                  // evaluations timed against each other
  int group_size = 1;
  std::string task, precision, case_name, set, size;
  double weight = 0, bytes = 0, flops = 0;
  std::string candidate, origin;      // content hash; who wrote it
  std::string backend, device;        // cuda or cpu; the device's name
  Verdict verdict = Verdict::skipped;
  std::string detail;                 // one line: what and where
  std::string paper_verdict;          // passed, failed, or empty where the published rule does not apply
  std::string bitwise;                // "same", "varies", or empty
  bool origin_error = false;          // accepted at twice the original's own measured error (references only)
  std::vector<OutputError> errors;
  std::vector<KernelLaunch> launches;
  std::optional<Timing> timing;
  std::string build_log;              // path inside the run, where there is something to read
  std::string key;                    // 32 hexadecimal digits: contents = f(key, case, step)
  std::string sandbox;                // full, limits, none
  double wall_s = 0;
};

}  // namespace mskb
