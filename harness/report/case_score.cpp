#include "report/case_score.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace mskb {

Outcome outcome_of(const Evaluation& evaluation, const ScoreOptions& options) {
  if (options.protocol == "paper" && !evaluation.paper_verdict.empty()) {
    return evaluation.paper_verdict == "passed" ? Outcome::passed : Outcome::failed;
  }
  return evaluation.verdict == Verdict::passed ? Outcome::passed
         : info(evaluation.verdict).failure    ? Outcome::failed
                                               : Outcome::skipped;
}

bool is_scored(const Evaluation& evaluation, const ScoreOptions& options) {
  return options.protocol != "paper" || evaluation.set != "check";
}

int case_index(const Evaluation& evaluation) {
  const std::string& name = evaluation.case_name;
  const std::size_t slash = name.rfind('/');
  int index = 0;
  if (slash != std::string::npos) {
    std::from_chars(name.data() + slash + 1, name.data() + name.size(), index);
  }
  return index;
}

namespace {

using Group = std::vector<const Evaluation*>;

const ClockSamples* clock_of(const Evaluation& evaluation, const std::string& clock) {
  if (!evaluation.timing) {
    return nullptr;
  }
  const auto found = evaluation.timing->clocks.find(clock);
  return found == evaluation.timing->clocks.end() || !(found->second.median > 0) ? nullptr : &found->second;
}

// exp(mean of log(a / b)) over the rounds that both took part in, the first ones; the medians' ratio where there are none.
double paired_ratio(const ClockSamples& a, const ClockSamples& b) {
  const std::size_t pairs = std::min(a.rounds.size(), b.rounds.size());
  if (pairs == 0) {
    return a.median / b.median;
  }
  double sum = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    if (!(a.rounds[i] > 0) || !(b.rounds[i] > 0)) {
      return a.median / b.median;
    }
    sum += std::log(a.rounds[i] / b.rounds[i]);
  }
  return std::exp(sum / static_cast<double>(pairs));
}

std::optional<SpeedupEstimate> speedup_of(const Evaluation& evaluation, const std::string& clock) {
  const auto found = evaluation.timing->speedups.find(clock);
  if (found != evaluation.timing->speedups.end()) {
    return std::isfinite(found->second.value) ? std::optional(found->second) : std::nullopt;
  }
  if (evaluation.origin == "reference" && clock_of(evaluation, clock) != nullptr) {
    SpeedupEstimate itself;
    itself.decided = true;
    return itself;
  }
  return std::nullopt;
}

// A BF16 kernel may use units whose rate no run states: where flops would bind at the FP32 vector rate, its limit is unknown.
std::optional<double> limit_of(const Evaluation& evaluation, const ScoreOptions& options) {
  if (options.memory_bandwidth <= 0) {
    return std::nullopt;
  }
  const double moving = std::max(evaluation.bytes / options.memory_bandwidth * 1e6, evaluation.timing->null_kernel_us);
  const double computing = options.fp32_flops > 0 ? evaluation.flops / options.fp32_flops * 1e6 : 0;
  if (evaluation.precision != "fp32" && computing > moving) {
    return std::nullopt;
  }
  const double limit = std::max(moving, computing);
  return limit > 0 ? std::optional(limit) : std::nullopt;
}

void add_times(CaseScore& score, const Group& group, const std::string& clock, const ScoreOptions& options) {
  const Evaluation& own = *score.evaluation;
  const ClockSamples* time = clock_of(own, clock);
  if (time == nullptr) {
    return;
  }
  score.time_us = time->median;
  const ClockSamples* best = nullptr;
  for (const Evaluation* other : group) {
    const ClockSamples* theirs = clock_of(*other, clock);
    if (theirs == nullptr || outcome_of(*other, options) != Outcome::passed) {
      continue;
    }
    if (other->origin == "reference") {
      score.reference_us = theirs->median;
    } else if (other->origin.starts_with("baseline:") && (best == nullptr || theirs->median < best->median)) {
      best = theirs;
      score.best_baseline = other->origin;
    }
  }
  if (best != nullptr) {
    score.best_baseline_us = best->median;
    score.ratio_to_best_baseline = paired_ratio(*best, *time);
  }
  score.limit_us = limit_of(own, options);
  if (score.limit_us) {
    score.limit_share = *score.limit_us / *score.time_us;
    if (score.reference_us && *score.reference_us > *score.limit_us) {
      score.headroom_closed = (*score.reference_us - *score.time_us) / (*score.reference_us - *score.limit_us);
    }
  }
}

}  // namespace

ScoreOptions ScoreOptions::of(const Run& run, const std::vector<Evaluation>& evaluations) {
  ScoreOptions options;
  const bool paper = run.protocol == "paper";
  options.protocol = paper ? "paper" : "strict";
  options.clock = paper ? "batch" : "span";
  options.memory_bandwidth = run.environment.memory_bandwidth;
  options.fp32_flops = run.environment.fp32_flops;
  options.cpu = run.environment.backend == "cpu";
  const auto has = [&](const char* clock) {
    return std::any_of(evaluations.begin(), evaluations.end(),
                       [&](const Evaluation& evaluation) { return clock_of(evaluation, clock) != nullptr; });
  };
  if (!paper && !has("span") && has("call")) {
    options.clock = "call";
  }
  return options;
}

std::string time_clock(const std::vector<Evaluation>& evaluations, const ScoreOptions& options) {
  const bool all = std::all_of(evaluations.begin(), evaluations.end(),
                               [](const Evaluation& each) { return !each.timing || clock_of(each, "span") != nullptr; });
  return all ? "span" : options.clock;
}

std::string clock_meaning(const std::string& clock) {
  return clock == "span"   ? "from the start of the first to the end of the last device activity of a call, with the host's work between them and what it "
                             "adds around them beyond a null kernel"
         : clock == "call" ? "a whole call on the host's clock, launch and synchronization included"
                           : "a batch of calls between two device events, divided by their number";
}

std::vector<CaseScore> case_scores(const std::vector<Evaluation>& evaluations, const ScoreOptions& options) {
  std::map<std::string, Group> groups;
  const std::string clock = time_clock(evaluations, options);
  for (const Evaluation& evaluation : evaluations) {
    groups[evaluation.group].push_back(&evaluation);
  }
  std::vector<CaseScore> scores;
  for (const Evaluation& evaluation : evaluations) {
    if (!is_scored(evaluation, options)) {
      continue;
    }
    CaseScore score;
    score.evaluation = &evaluation;
    score.outcome = outcome_of(evaluation, options);
    if (score.outcome == Outcome::passed && evaluation.timing && !options.cpu) {
      score.speedup = speedup_of(evaluation, options.clock);
      score.call_speedup = speedup_of(evaluation, "call");
      add_times(score, groups[evaluation.group], clock, options);
    }
    scores.push_back(std::move(score));
  }
  return scores;
}

}  // namespace mskb
