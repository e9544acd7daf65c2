#include "evaluate/check_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "evaluate/environment.hpp"
#include "evaluate/lanes.hpp"
#include "model/task_file.hpp"

namespace mskb {

namespace {

constexpr int problems_at_a_time_on_a_gpu = 2;

int lanes_for(const EvaluatorOptions& options) {
  return options.backend == Backend::cpu ? options.jobs : std::min(options.jobs, problems_at_a_time_on_a_gpu);
}

Builder builder_for(const EvaluatorOptions& options) {
  BuildOptions build;
  build.backend = options.backend;
  build.sandbox = options.sandbox;
  if (options.backend == Backend::cuda) {
    build.architecture = architecture_of(KeeperClient(options.backend, options.device).facts());
  }
  Builder builder(options.home, options.cache, build);
  builder.check_compiler();
  return builder;
}

// Modules first, which take longest, and one precision after the other, as both often share one.
void build_all(const Builder& builder, const EvaluatorOptions& options, const std::vector<Problem>& problems,
               const CheckSink& sink) {
  std::vector<std::function<void()>> builds;
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    for (const Problem& problem : problems) {
      if (problem.precision == precision) {
        builds.push_back([&] { builder.task_module(problem); });
      }
    }
  }
  for (const Problem& problem : problems) {
    builds.push_back([&] { builder.candidate(problem, reference_candidate(problem)); });
  }
  run_lanes(
      builds.size(), options.jobs, [&] { return [&](std::size_t item) { builds[item](); }; },
      [&](std::size_t item) { sink.progress(fmt::format("built {} of {}", item + 1, builds.size())); });
}

CheckFinding check_reference(Evaluator& evaluator, const Problem& problem, const std::string& set) {
  CheckFinding finding{true, "the reference passes", "", true};
  ProblemPlan plan;
  plan.problem = problem;
  plan.candidates.push_back(reference_candidate(problem));
  plan.sets = {set};
  EvaluatorSink sink;
  sink.group = [&](const std::vector<Evaluation>& group) {
    for (const Evaluation& evaluation : group) {
      if (evaluation.verdict != Verdict::passed) {
        finding.holds = false;
        finding.detail += fmt::format("{}{}: {} {}", finding.detail.empty() ? "" : "; ", evaluation.case_name,
                                      to_string(evaluation.verdict), evaluation.detail);
      }
    }
  };
  evaluator.run({plan}, sink);
  return finding;
}

}  // namespace

void check_problems(const EvaluatorOptions& options, const std::vector<Problem>& problems, const std::string& set,
                    const CheckSink& sink) {
  const Builder builder = builder_for(options);
  build_all(builder, options, problems, sink);
  Evaluator evaluator(options);
  std::mutex one_reference;
  std::vector<std::vector<CheckFinding>> findings(problems.size());
  const auto make_lane = [&] {
    auto acceptance = std::make_shared<TaskCheck>(options, builder);
    return [&, acceptance](std::size_t item) {
      std::vector<CheckFinding> proved = acceptance->check(problems[item], set);
      const std::lock_guard hold(one_reference);
      proved.insert(proved.begin(), check_reference(evaluator, problems[item], set));
      findings[item] = std::move(proved);
    };
  };
  run_lanes(problems.size(), lanes_for(options), make_lane, [&](std::size_t item) {
    sink.checked(problems[item], findings[item]);
    sink.progress(fmt::format("checked {} of {}", item + 1, problems.size()));
  });
}

void check_published(const EvaluatorOptions& options, const std::vector<Problem>& problems, const CheckSink& sink) {
  const Builder builder = builder_for(options);
  build_all(builder, options, problems, sink);
  std::vector<PublishedRow> rows(problems.size());
  const auto make_lane = [&] {
    return [&](std::size_t item) { rows[item] = check_published_rule(options, builder, problems[item]); };
  };
  run_lanes(problems.size(), lanes_for(options), make_lane, [&](std::size_t item) {
    sink.published(rows[item]);
    sink.progress(fmt::format("checked {} of {}", item + 1, problems.size()));
  });
}

}  // namespace mskb
