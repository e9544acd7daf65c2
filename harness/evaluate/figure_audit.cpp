#include "evaluate/figure_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/counted.hpp"
#include "evaluate/clock_watch.hpp"
#include "evaluate/statistics.hpp"
#include "evaluate/turns.hpp"

namespace mskb {

namespace {

// Records hold every digit; only the compiler's choice of instructions may differ.
bool same(double recorded, double computed) { return std::fabs(recorded - computed) <= 1e-9 * std::max(1.0, std::fabs(computed)); }

SpeedupEstimate recomputed(const std::string& protocol, const ClockSamples& reference, const ClockSamples& own, const IntervalRule& rule) {
  if (protocol == "strict") {
    return estimate_speedup(reference.rounds, own.rounds, rule);
  }
  SpeedupEstimate estimate;
  estimate.value = estimate.low = estimate.high = reference.median / own.median;
  estimate.rounds = 1;
  return estimate;
}

struct Flag {
  const char* name;
  bool recorded, follows;
};

// Those that follow from other figures on record. A rule that knows no generations cannot say whether they differed.
std::vector<Flag> strict_flags(const Timing& timing, const Evaluation* reference, const IntervalRule& rule) {
  std::vector<Flag> flags;
  if (const auto span = timing.clocks.find("span"); span != timing.clocks.end()) {
    flags.push_back({"launch_bound", timing.launch_bound, is_launch_bound(span->second.median, timing.null_kernel_us)});
  }
  if (timing.speedups.contains("span") && timing.speedups.contains("call")) {
    flags.push_back({"stories_differ", timing.stories_differ, stories_differ(timing.speedups.at("span").value, timing.speedups.at("call").value)});
  }
  const char* const judged = timing.speedups.contains("span") ? "span" : "call";
  if (rule.rounds_per_generation > 0 && reference != nullptr && reference->timing && reference->timing->clocks.contains(judged) && timing.clocks.contains(judged)) {
    flags.push_back({"generations_differ", timing.generations_differ,
                     generations_differ(reference->timing->clocks.at(judged).rounds, timing.clocks.at(judged).rounds, rule)});
  }
  return flags;
}

}  // namespace

IntervalRule rule_on_record(const std::vector<Evaluation>& evaluations) {
  // Not whatever fits: who edits records would choose the narrowest interval.
  constexpr IntervalRule known_rules[] = {strict_rule, {.looks = 5, .rounds_per_generation = 0}, {.looks = 3, .rounds_per_generation = 0}};
  constexpr int enough = 50;
  std::map<std::string, const Evaluation*> references;
  int fits[std::size(known_rules)] = {};
  int seen = 0;
  for (const Evaluation& evaluation : evaluations) {
    if (evaluation.origin == "reference") {
      references[evaluation.group] = &evaluation;
      continue;
    }
    const auto reference = references.find(evaluation.group);
    if (reference == references.end() || !evaluation.timing || !reference->second->timing) {
      continue;
    }
    for (const auto& [clock, recorded] : evaluation.timing->speedups) {
      const auto& [theirs, ours] = std::pair(reference->second->timing->clocks, evaluation.timing->clocks);
      if (!theirs.contains(clock) || !ours.contains(clock)) {
        continue;
      }
      for (std::size_t rule = 0; rule < std::size(known_rules); ++rule) {
        fits[rule] += same(recorded.high, recomputed("strict", theirs.at(clock), ours.at(clock), known_rules[rule]).high) ? 1 : 0;
      }
      ++seen;
    }
    if (seen >= enough) {
      break;
    }
  }
  return known_rules[std::max_element(std::begin(fits), std::end(fits)) - std::begin(fits)];
}

std::vector<std::string> figure_faults(const Evaluation& evaluation, const Evaluation* reference, const IntervalRule& rule, std::size_t& count) {
  std::vector<std::string> faults;
  if (!evaluation.timing) {
    return faults;
  }
  const Timing& timing = *evaluation.timing;
  const auto expect = [&](const std::string& what, double recorded, double computed) {
    ++count;
    if (!same(recorded, computed)) {
      faults.push_back(fmt::format("{} is {:.6g} on record, {:.6g} by its rounds", what, recorded, computed));
    }
  };
  for (const auto& [clock, samples] : timing.clocks) {
    if (!samples.rounds.empty()) {
      expect("the median of " + clock, samples.median, median(samples.rounds));
    } else if (timing.protocol == "strict" && clock != "lead" && clock != "tail") {
      faults.push_back(fmt::format("the median of {} has no rounds to follow from", clock));
    }
  }
  constexpr double highest_mhz = 10000;
  if (!(timing.clock_mhz >= 0 && timing.clock_mhz <= highest_mhz)) {
    faults.push_back(fmt::format("a clock of {:.6g} MHz", timing.clock_mhz));
  }
  if (timing.dropped_rounds < 0 || timing.dropped_rounds > ClockWatch::most_dropped ||
      (timing.clock_unsteady && timing.dropped_rounds != ClockWatch::most_dropped)) {
    faults.push_back(fmt::format("{} and a clock called {}", counted(timing.dropped_rounds, "dropped round"), timing.clock_unsteady ? "unsteady" : "steady"));
  }
  if (reference != nullptr && reference->timing &&
      (reference->timing->dropped_rounds != timing.dropped_rounds || reference->timing->clock_unsteady != timing.clock_unsteady ||
       !same(reference->timing->clock_mhz, timing.clock_mhz))) {
    faults.push_back("its clock rate or dropped rounds are not those of the reference, which was timed in the same rounds");
  }
  const bool is_reference = reference == nullptr || reference == &evaluation;
  for (const char* clock : {"span", "call"}) {
    if (!is_reference && timing.protocol == "strict" && reference->timing && reference->timing->clocks.contains(clock) &&
        !timing.speedups.contains(clock)) {
      faults.push_back(fmt::format("there is no speedup of {} though the reference has that clock", clock));
    }
  }
  for (const auto& [clock, recorded] : timing.speedups) {
    if (is_reference || !reference->timing || !reference->timing->clocks.contains(clock) || !timing.clocks.contains(clock)) {
      faults.push_back(fmt::format("a speedup of {} without times of the reference to follow from", clock));
      continue;
    }
    const SpeedupEstimate computed = recomputed(timing.protocol, reference->timing->clocks.at(clock), timing.clocks.at(clock), rule);
    expect("the speedup of " + clock, recorded.value, computed.value);
    expect("the lower bound of " + clock, recorded.low, computed.low);
    expect("the upper bound of " + clock, recorded.high, computed.high);
    expect("the rounds of " + clock, recorded.rounds, computed.rounds);
    const std::size_t own_rounds = timing.clocks.at(clock).rounds.size(), rounds = reference->timing->clocks.at(clock).rounds.size();
    const bool is_judged = clock == (timing.speedups.contains("span") ? "span" : "call");
    if (timing.protocol == "strict" && is_judged && own_rounds < rounds && !suffices(computed, evaluation.origin)) {
      faults.push_back(fmt::format("{} rounds of {} where the reference has {}, though its interval is wider than 1 %", own_rounds, clock, rounds));
    }
    if (recorded.verdict != computed.verdict || recorded.decided != computed.decided) {
      faults.push_back(fmt::format("the speedup of {} is called {} ({}) on record, {} ({}) by its rounds", clock, recorded.verdict,
                                   recorded.decided ? "decided" : "not decided", computed.verdict, computed.decided ? "decided" : "not decided"));
    }
  }
  if (timing.protocol == "strict") {
    for (const auto& [flag, recorded, follows] : strict_flags(timing, is_reference ? nullptr : reference, rule)) {
      if (recorded != follows) {
        faults.push_back(fmt::format("{} is {} on record, {} by its figures", flag, recorded, follows));
      }
    }
    if (!is_reference && reference->timing && !same(reference->timing->null_kernel_us, timing.null_kernel_us)) {
      faults.push_back("its null kernel is not that of the reference, which was timed in the same rounds");
    }
  }
  return faults;
}

}  // namespace mskb
