#include <fmt/format.h>

#include <cmath>

#include "build/builder.hpp"
#include "evaluate/record_audit.hpp"
#include "evaluate/statistics.hpp"

namespace mskb {

namespace {

constexpr double paper_tolerance = 0.1;

std::string words(const Evaluation& evaluation) {
  return fmt::format("{}{}{}{}", to_string(evaluation.verdict), evaluation.detail.empty() ? "" : " (", evaluation.detail,
                     evaluation.detail.empty() ? "" : ")");
}

// That the CPU backend cannot run it follows from the source alone, unlike that a case does not fit.
bool lacks_feature(const Evaluation& evaluation) {
  return evaluation.verdict == Verdict::skipped && evaluation.detail.find(lacking_on_cpu) != std::string::npos;
}

// The clock that scores, as far as both have it; empty where they share none.
std::string common_clock(const Timing& then, const Timing& now) {
  for (const char* clock : {"span", "call", "batch"}) {
    if (then.speedups.contains(clock)) {
      return now.speedups.contains(clock) ? clock : "";
    }
  }
  return "";
}

}  // namespace

Repetition compare_verdicts(const Evaluation& then, const Evaluation& now, const Evaluation* reference_then) {
  using Outcome = Repetition::Outcome;
  if (then.verdict == now.verdict) {
    if (then.paper_verdict == now.paper_verdict) {
      return {};
    }
    // The published rule compares with the original's outputs, which another device may round otherwise.
    const bool comparable = then.device == now.device && !now.paper_verdict.empty();
    return {comparable ? Outcome::differs : Outcome::not_repeated,
            fmt::format("by the published rule then '{}', now '{}'", then.paper_verdict, now.paper_verdict)};
  }
  if (then.backend == "cpu" && now.backend == "cpu" && (lacks_feature(then) || lacks_feature(now))) {
    return {Outcome::differs, fmt::format("then {}, now {}", words(then), words(now))};
  }
  if (now.verdict == Verdict::skipped) {
    return {Outcome::not_repeated, fmt::format("then {}; not repeatable here: {}", words(then), now.detail)};
  }
  // A case that fits has room for each candidate, and only a library may say that it cannot do it.
  const bool alone = reference_then != nullptr && reference_then->verdict != Verdict::skipped && !then.origin.starts_with("baseline:");
  if (then.verdict == Verdict::skipped && alone && info(now.verdict).failure) {
    return {Outcome::differs, fmt::format("then {}, though the reference ran; now {}", words(then), words(now))};
  }
  if (then.verdict == Verdict::skipped) {
    return {Outcome::not_repeated, fmt::format("then {}; here {}", words(then), words(now))};
  }
  const bool both_fail = info(then.verdict).failure && info(now.verdict).failure;
  return {both_fail ? Outcome::holds : Outcome::differs, fmt::format("then {}, now {}", words(then), words(now))};
}

Repetition compare_speedups(const Evaluation& then, const Evaluation& now) {
  using Outcome = Repetition::Outcome;
  if (!then.timing || then.timing->speedups.empty()) {
    return {};
  }
  if (then.device != now.device || !now.timing || now.timing->protocol != then.timing->protocol) {
    return {Outcome::not_repeated, "its speedup was not measured again"};
  }
  const std::string clock = common_clock(*then.timing, *now.timing);
  if (clock.empty()) {
    return {Outcome::not_repeated, "its speedup was not measured again: the device gives no such clock here"};
  }
  const SpeedupEstimate& before = then.timing->speedups.at(clock);
  const SpeedupEstimate& after = now.timing->speedups.at(clock);
  const auto reach = [](const SpeedupEstimate& estimate) { return std::log(estimate.high / estimate.low) / 2; };
  const double joint = then.timing->protocol == "paper" ? std::log(1 + paper_tolerance)
                                                        : std::hypot(reach(before), reach(after)) + std::log(1 + noise_floor);
  const bool holds = std::fabs(std::log(after.value / before.value)) <= joint;
  return {holds ? Outcome::holds : Outcome::differs,
          fmt::format("{}: speedup then {:.4g}, now {:.4g}, to agree within {:.1f} %", clock, before.value, after.value, 100 * std::expm1(joint))};
}

}  // namespace mskb
