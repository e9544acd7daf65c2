#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimize/campaign.hpp"
#include "optimize/messages.hpp"

namespace mskb {

// The paths in `shown_as`, which are of this machine, replaced.
std::string without_paths(std::string text, const std::map<std::string, std::string>& shown_as);

// One candidate beside the reference, as a session's optimizer is told of it: in texts of the compiler the paths in `shown_as` are replaced.
CandidateReport evaluate_for_session(Measurer& measurer, const Problem& problem, const Candidate& reference,
                                     const Candidate& candidate, const std::vector<std::string>& sets,
                                     const std::map<std::string, std::string>& shown_as = {});

// What a build alone tells.
CandidateReport report_of(const BuildResult& build, const std::map<std::string, std::string>& shown_as);

// What the CPU backend finds wrong at the `smoke` sizes; nothing for what it accepts, cannot judge, or does not build: the device's own compiler
// decides on that.
std::optional<CandidateReport> screen(Measurer& cpu, const Problem& problem, const Candidate& reference, const Candidate& candidate,
                                      const std::map<std::string, std::string>& shown_as);

}  // namespace mskb
