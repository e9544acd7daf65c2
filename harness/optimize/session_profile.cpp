#include "optimize/session_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace mskb {

namespace {

// Of the sizes that were asked for; of the `check` sizes where there are no others.
std::optional<Case> case_to_profile(const CandidateReport& report, const Problem& problem) {
  const Evaluation* chosen = nullptr;
  for (const Evaluation& each : report.cases) {
    const auto rank = [](const Evaluation& one) { return std::pair(one.set != "check", one.weight); };
    if (each.verdict == Verdict::passed && (chosen == nullptr || rank(each) > rank(*chosen))) {
      chosen = &each;
    }
  }
  if (chosen != nullptr) {
    for (Case& test_case : make_cases(problem, chosen->set)) {
      if (test_case.name() == chosen->case_name) {
        return std::move(test_case);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

void add_profile(CandidateReport& report, const Problem& problem, const Candidate& candidate, const SessionProfiles& profiles) {
  if (profiles.kind == ProfileKind::none) {
    report.profile_reason = "this session takes no profiles (option profile: none)";
    return;
  }
  const Verdict verdict = overall_verdict(report);
  const std::optional<Case> test_case = verdict == Verdict::passed ? case_to_profile(report, problem) : std::nullopt;
  if (!test_case) {
    report.profile_reason = fmt::format("only candidates that passed are profiled; this one: {}", to_string(verdict));
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  const ProfileOutcome outcome = profiles.take(*test_case, candidate);
  report.device_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.profile_reason = outcome.reason;
  if (outcome.profile) {
    report.profile = profiles.kind == ProfileKind::full ? full_profile(*outcome.profile)
                                                        : filtered_profile(*outcome.profile, profiles.thresholds(outcome.profile->device));
  }
}

}  // namespace mskb
