#pragma once
#include <functional>
#include <string>

#include "optimize/messages.hpp"
#include "profile/profile_json.hpp"
#include "profile/profiler.hpp"

namespace mskb {

// How a session takes profiles.
struct SessionProfiles {
  ProfileKind kind = ProfileKind::filtered;
  // Profiles a candidate that has passed at the case.
  std::function<ProfileOutcome(const Case&, const Candidate&)> take = [](const Case&, const Candidate&) {
    return ProfileOutcome{{}, "this harness takes no profiles"};
  };
  std::function<Thresholds(const std::string& device)> thresholds = [](const std::string&) { return Thresholds(); };
};

// Adds to the report of a candidate its profile at the timed case of the largest weight, or why there is none, and the time that took.
void add_profile(CandidateReport& report, const Problem& problem, const Candidate& candidate, const SessionProfiles& profiles);

}  // namespace mskb
