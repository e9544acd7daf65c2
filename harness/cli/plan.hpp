#pragma once
#include <string>
#include <vector>

#include "evaluate/evaluator.hpp"

namespace mskb::cli {

// What `mskb run` compares on each problem.
struct PlanRequest {
  std::vector<std::string> optimizers;        // names or directories, of kinds that need no process
  std::vector<std::string> candidate_files;   // *.cu named after a task, or any name when one task is chosen
  std::vector<std::string> baselines;         // library names or "all"
  std::vector<std::string> sets;
  bool self_test = false;                     // the reference again, and a copy of it that is 5 % slower
  bool slower_self_test = true;               // the latter, which protocol `paper` cannot make: nothing is added between its back-to-back calls
};

// One plan per problem: the reference, then baselines, optimizers' solutions, files, self-tests. Throws InputError for a file that fits no
// chosen problem, an unknown optimizer or library, or one that proposes in a conversation (that is `mskb optimize`).
std::vector<ProblemPlan> make_plans(const std::filesystem::path& home, const std::vector<Problem>& problems, const PlanRequest& request);

}  // namespace mskb::cli
