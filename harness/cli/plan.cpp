#include "cli/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "evaluate/baselines.hpp"
#include "evaluate/self_test.hpp"
#include "model/source_names.hpp"
#include "model/task_file.hpp"
#include "optimize/optimizer_file.hpp"

namespace mskb::cli {

namespace fs = std::filesystem;

namespace {

// Whether a file of this name is for the problem: <task>.cu for both precisions unless <task>_bf16.cu lies beside it.
bool fits(const fs::path& file, const Problem& problem) {
  const std::string stem = file.stem().string();
  if (problem.precision == Precision::bf16 && stem == problem.task->name + "_bf16") {
    return true;
  }
  return stem == problem.task->name &&
         (problem.precision == Precision::fp32 || !fs::exists(file.parent_path() / (stem + "_bf16.cu")));
}

// Throws InputError: the file's name is that of a source on record.
void check_candidate_name(const fs::path& file) {
  if (file.extension() != ".cu") {
    throw InputError(fmt::format("--candidate {}: is no .cu file; name one that exports the task's entry point", file.string()));
  }
  if (const auto fault = find_name_fault({{file.filename().string(), ""}})) {
    throw InputError("--candidate: " + *fault);
  }
}

bool one_task(const std::vector<Problem>& problems) {
  return std::all_of(problems.begin(), problems.end(), [&](const Problem& problem) { return problem.task == problems[0].task; });
}

}  // namespace

std::vector<ProblemPlan> make_plans(const fs::path& home, const std::vector<Problem>& problems, const PlanRequest& request) {
  std::vector<OptimizerFile> optimizers;
  for (const std::string& name : request.optimizers) {
    optimizers.push_back(find_optimizer(home, name));
    if (optimizers.back().kind == OptimizerKind::program) {
      throw InputError(fmt::format("optimizer {} proposes in a conversation; use `mskb optimize --optimizer {}`", name, name));
    }
  }
  for (const std::string& file : request.candidate_files) {
    check_candidate_name(file);
  }
  const auto libraries = load_baseline_libraries(home);
  std::vector<bool> used(request.candidate_files.size(), false);
  std::vector<ProblemPlan> plans;
  for (const Problem& problem : problems) {
    ProblemPlan plan;
    plan.problem = problem;
    plan.sets = request.sets;
    for (const std::string& set : request.sets) {
      make_cases(problem, set);  // a size that cannot be is refused before anything runs
    }
    make_cases(problem, "check");
    plan.candidates.push_back(reference_candidate(problem));
    for (Candidate& baseline : baseline_candidates(home, libraries, problem, request.baselines)) {
      plan.candidates.push_back(std::move(baseline));
    }
    for (const OptimizerFile& optimizer : optimizers) {
      if (auto candidate = solution(optimizer, problem)) {
        plan.candidates.push_back(std::move(*candidate));
      }
    }
    for (std::size_t i = 0; i < request.candidate_files.size(); ++i) {
      const fs::path file = request.candidate_files[i];
      if (fits(file, problem) || (one_task(problems) && !fits(file, {problem.task, Precision::fp32}) &&
                                  !fits(file, {problem.task, Precision::bf16}))) {
        Candidate candidate = candidate_from_file(file, "file:" + file.filename().string());
        for (const Candidate& other : plan.candidates) {
          if (other.origin == candidate.origin) {
            throw InputError(fmt::format("--candidate {}: another candidate for {} has that file name; rename one, or give it once",
                                         file.string(), problem.name()));
          }
        }
        plan.candidates.push_back(std::move(candidate));
        used[i] = true;
      }
    }
    if (request.self_test) {
      plan.candidates.push_back(identity_self_test(problem));
      if (request.slower_self_test) {
        plan.candidates.push_back(slower_self_test(problem));
      }
    }
    plans.push_back(std::move(plan));
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) {
      throw InputError(fmt::format("{}: no chosen task has that name; name it with --task", request.candidate_files[i]));
    }
  }
  return plans;
}

}  // namespace mskb::cli
