#pragma once
#include <map>
#include <string>

#include "optimize/campaign.hpp"

namespace mskb {

// Leads the sessions of all problems of a run, options.sessions of them at once, and gives their outcomes by problem name. What fails in the
// harness ends all of them and is thrown once the last has come to rest. Throws InputError for transcripts of another optimizer.
std::map<std::string, SessionOutcome> lead_sessions(const OptimizeOptions& options, const Run& run);

// What the program of an optimizer finds in its environment beside the caller's: its folder, and the session's own, which need not be there yet.
std::map<std::string, std::string> session_environment(const OptimizeOptions& options, const Problem& problem);

// How sessions of this campaign take profiles: the optimizer's option `profile` decides where it has one. Throws InputError.
ProfileKind profile_kind(const OptimizeOptions& options);

}  // namespace mskb
