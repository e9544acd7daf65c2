#pragma once
#include <set>
#include <string>
#include <vector>

#include "evaluate/evaluator.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

// Throws InputError where a command would not continue the stored run but begin another one in it: another device, compiler, protocol or
// sandbox, or other candidates for a case that is on record. `now` is what the command would write as a new run.
void require_same_run(const StoredRun& stored, const Run& now, const std::vector<ProblemPlan>& plans);

// "<task>/<precision> <candidate>" of every candidate that failed a `check` case.
std::set<std::string> failed_checks(const StoredRun& stored);

}  // namespace mskb::cli
