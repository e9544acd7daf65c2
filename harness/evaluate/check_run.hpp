#pragma once
#include <functional>
#include <string>
#include <vector>

#include "evaluate/published_check.hpp"
#include "evaluate/task_check.hpp"

namespace mskb {

// Receives results in the order of the problems, on the calling thread.
struct CheckSink {
  std::function<void(const Problem&, const std::vector<CheckFinding>&)> checked = [](const Problem&, const std::vector<CheckFinding>&) {};
  std::function<void(const PublishedRow&)> published = [](const PublishedRow&) {};
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// Builds all references and task modules; then, several problems at a time (options.jobs on the CPU, at most two on a GPU), judges the
// reference at the sizes `check` and `set` as any candidate, and proves the acceptance.
void check_problems(const EvaluatorOptions& options, const std::vector<Problem>& problems, const std::string& set,
                    const CheckSink& sink);

// The same with the published rule in place of the proofs.
void check_published(const EvaluatorOptions& options, const std::vector<Problem>& problems, const CheckSink& sink);

}  // namespace mskb
