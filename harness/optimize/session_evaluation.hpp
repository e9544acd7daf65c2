#pragma once
#include <string>
#include <vector>

#include "optimize/campaign.hpp"
#include "optimize/messages.hpp"

namespace mskb {

// One candidate beside the reference, as a session's optimizer is told of it.
CandidateReport evaluate_for_session(Measurer& measurer, const Problem& problem, const Candidate& reference,
                                     const Candidate& candidate, const std::vector<std::string>& sets);

}  // namespace mskb
