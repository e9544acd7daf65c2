#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/evaluation.hpp"
#include "model/run.hpp"

namespace mskb {

// How evaluations are read: which clock, whose verdict, what the device can do.
struct ScoreOptions {
  std::string protocol = "strict";  // `paper` scores by the published rule's verdict, at the paper's sizes only
  std::string clock = "span";       // of the speedups
  double memory_bandwidth = 0;      // bytes per second; 0 unknown
  double fp32_flops = 0;            // flop per second; 0 unknown
  bool cpu = false;                 // a run of the CPU backend: verdicts, never speedups

  // Protocol strict scores on `span` (on `call` where no record has it), paper on `batch`.
  static ScoreOptions of(const Run& run, const std::vector<Evaluation>& evaluations);
};

enum class Outcome { passed, failed, skipped };

// One evaluation as the protocol reads it, beside the others of its group. Times are medians of time_clock, in microseconds.
struct CaseScore {
  const Evaluation* evaluation = nullptr;
  Outcome outcome = Outcome::skipped;
  std::optional<SpeedupEstimate> speedup, call_speedup;  // passed and timed only
  std::optional<double> time_us, reference_us, best_baseline_us;
  std::string best_baseline;                             // its origin
  std::optional<double> ratio_to_best_baseline;          // best baseline's time over this one's, from paired rounds
  std::optional<double> limit_us;                        // max(bytes / bandwidth, flops / peak, null kernel)
  std::optional<double> limit_share;                     // limit / time
  std::optional<double> headroom_closed;                 // (reference - time) / (reference - limit)
};

// The clock of the times in tables: `span`, or the score's own clock where some timed evaluation has no `span`.
std::string time_clock(const std::vector<Evaluation>& evaluations, const ScoreOptions& options);
// What that clock holds, in words.
std::string clock_meaning(const std::string& clock);

Outcome outcome_of(const Evaluation& evaluation, const ScoreOptions& options);

// Whether the protocol scores this evaluation at all (`paper` leaves the `check` cases out).
bool is_scored(const Evaluation& evaluation, const ScoreOptions& options);

// In the order of the evaluations, which must outlive the result.
std::vector<CaseScore> case_scores(const std::vector<Evaluation>& evaluations, const ScoreOptions& options);

// The number at the end of "task/precision/set/3".
int case_index(const Evaluation& evaluation);

}  // namespace mskb
