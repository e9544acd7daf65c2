#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/files.hpp"
#include "cli/options.hpp"
#include "evaluate/task_check.hpp"

namespace mskb::cli {

namespace {

struct Options {
  ProblemOptions problems;
  DeviceOptions device{"cpu"};
  std::string set;
  bool verbose = false;
};

// The reference at its check cases and at `set`, as any candidate would be judged.
CheckFinding check_reference(const EvaluatorOptions& options, const Problem& problem, const std::string& set) {
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
  Evaluator(options).run({plan}, sink);
  return finding;
}

int execute(const Options& options) {
  const auto home = home_directory();
  hide_what_candidates_need_not_see(home);
  const std::vector<Task> tasks = load_tasks(home);
  const DeviceOptions::Choice device = options.device.choose();
  EvaluatorOptions evaluator;
  evaluator.home = home;
  evaluator.cache = cache_directory();
  evaluator.backend = device.backend;
  evaluator.device = device.ordinal;
  evaluator.sandbox = choose_sandbox(false, false);
  evaluator.timing = false;
  evaluator.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  evaluator.key = RunKey::draw();
  evaluator.run_id = evaluator.key.hex.substr(0, 12);
  const std::string set = options.set.empty() ? (device.backend == Backend::cpu ? "smoke" : "paper") : options.set;

  int failed = 0, problems = 0;
  for (const Problem& problem : options.problems.problems(tasks)) {
    std::vector<CheckFinding> findings{check_reference(evaluator, problem, set)};
    for (CheckFinding& finding : check_problem(evaluator, problem, set)) {
      findings.push_back(std::move(finding));
    }
    const auto bad = std::count_if(findings.begin(), findings.end(), [](const auto& f) { return f.applies && !f.holds; });
    failed += bad > 0 ? 1 : 0;
    ++problems;
    fmt::print("{:<22} {}\n", problem.name(), bad > 0 ? fmt::format("{} statements do not hold", bad) : "ok");
    for (const CheckFinding& finding : findings) {
      if (options.verbose || (finding.applies && !finding.holds)) {
        fmt::print("    {:<8} {}{}\n", !finding.applies ? "n/a" : finding.holds ? "holds" : "FAILS", finding.statement,
                   finding.detail.empty() ? "" : " (" + finding.detail + ")");
      }
    }
    std::fflush(stdout);
  }
  fmt::print("{} problems checked, {} with faults\n", problems, failed);
  return failed > 0 ? 1 : 0;
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Prove that tasks accept what is right and refuse what is damaged.");
  options->problems.add(*command);
  options->device.add(*command);
  command->add_option("--sizes", options->set, "Size set beside `check`. Default: smoke on cpu, paper on cuda.")
      ->check(CLI::IsMember({"smoke", "paper", "large"}));
  command->add_flag("--verbose", options->verbose, "Every statement, not only those that fail.");
  command->callback([options, &context] { context.exit_code = execute(*options); });
}

}  // namespace mskb::cli
