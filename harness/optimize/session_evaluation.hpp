#pragma once
#include <map>
#include <string>
#include <vector>

#include "optimize/campaign.hpp"
#include "optimize/messages.hpp"

namespace mskb {

// One candidate beside the reference, as a session's optimizer is told of it: in texts of the compiler the paths in `shown_as` are replaced.
CandidateReport evaluate_for_session(Measurer& measurer, const Problem& problem, const Candidate& reference,
                                     const Candidate& candidate, const std::vector<std::string>& sets,
                                     const std::map<std::string, std::string>& shown_as = {});

}  // namespace mskb
