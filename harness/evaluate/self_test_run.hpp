#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "evaluate/evaluator.hpp"

namespace mskb {

// A short test of the harness on the device and in the state in which a run is about to be made: one problem, at the middle case of its first size
// set, with contents of its own. A candidate whose outputs are zeros has to be refused; where times are measured, the reference against itself
// must be neither faster nor slower, and of a copy with 5 % added it must not be said
// that it is as fast. A test that fails is repeated once. Takes a few seconds.
//
// Returns closing figures of the run: "self_test" ("passed", "passed, but tells little: <why>", "not run: <why>" or "failed: <what>"), "self_test_case", what came of
// each part, and "self_test_first" where it was repeated.
std::map<std::string, std::string> run_self_test(EvaluatorOptions options, const Problem& problem, const std::vector<std::string>& sets,
                                                 const std::function<void(const std::string&)>& progress);

// The same from a group that was evaluated: the reference and the candidates below.
std::map<std::string, std::string> judge_self_test(const std::vector<Evaluation>& group);

// What is wrong with these closing figures of a test that was run: a result that there is none of, or that its parts do not make. `timed`: with times.
std::vector<std::string> self_test_faults(const std::map<std::string, std::string>& figures, bool timed);

// A candidate of origin "selftest:zeros" that fills the outputs of this case with zero bytes.
Candidate zeros_self_test(const Case& test_case);

}  // namespace mskb
