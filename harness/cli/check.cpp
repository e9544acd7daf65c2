#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/counted.hpp"
#include "base/files.hpp"
#include "cli/options.hpp"
#include "cli/published_page.hpp"
#include "evaluate/check_run.hpp"

namespace mskb::cli {

namespace {

struct Options {
  ProblemOptions problems;
  DeviceOptions device{"cpu"};
  std::string set, format = "text";
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool verbose = false, published = false;
};

bool is_fault(const CheckFinding& finding) { return finding.applies && !finding.holds; }

void print_findings(const Problem& problem, const std::vector<CheckFinding>& findings, bool verbose) {
  const auto faults = std::count_if(findings.begin(), findings.end(), is_fault);
  fmt::print("{:<22} {}\n", problem.name(), faults > 0 ? counted(faults, "statement does not hold", "statements do not hold") : "ok");
  for (const CheckFinding& finding : findings) {
    if (verbose || is_fault(finding)) {
      fmt::print("    {:<8} {}{}\n", !finding.applies ? "n/a" : finding.holds ? "holds" : "FAILS", finding.statement,
                 finding.detail.empty() ? "" : " (" + finding.detail + ")");
    }
  }
  std::fflush(stdout);
}

int prove(const Options& options, const EvaluatorOptions& evaluator, const std::vector<Problem>& problems) {
  const std::string set = options.set.empty() ? (evaluator.backend == Backend::cpu ? "smoke" : "paper") : options.set;
  int failed = 0;
  Progress progress;
  CheckSink sink;
  sink.progress = [&](const std::string& text) { progress.show(text); };
  sink.checked = [&](const Problem& problem, const std::vector<CheckFinding>& findings) {
    progress.clear();
    failed += std::any_of(findings.begin(), findings.end(), is_fault) ? 1 : 0;
    print_findings(problem, findings, options.verbose);
  };
  check_problems(evaluator, problems, set, sink);
  progress.clear();
  fmt::print("{} checked, {} with faults\n", counted(problems.size(), "problem"), failed);
  return failed > 0 ? 1 : 0;
}

int print_published(const Options& options, const EvaluatorOptions& evaluator, const std::vector<Problem>& problems) {
  std::vector<PublishedRow> rows;
  {
    Progress progress;
    CheckSink sink;
    sink.progress = [&](const std::string& text) { progress.show(text); };
    sink.published = [&](const PublishedRow& row) { rows.push_back(row); };
    check_published(evaluator, problems, sink);
  }
  fmt::print("{}", published_page(rows, options.format == "markdown" ? Format::markdown : Format::text));
  return 0;
}

int execute(const Options& options) {
  const auto home = home_directory();
  hide_what_candidates_need_not_see(home);
  const std::vector<Task> tasks = load_tasks_for(home, options.problems.tasks);
  const std::vector<Problem> problems = options.problems.problems(tasks);
  const DeviceOptions::Choice device = options.device.choose();
  EvaluatorOptions evaluator;
  evaluator.home = home;
  evaluator.cache = cache_directory();
  evaluator.backend = device.backend;
  evaluator.device = device.ordinal;
  evaluator.sandbox = choose_sandbox(false, false);
  evaluator.timing = false;
  evaluator.jobs = options.jobs;
  evaluator.key = RunKey::draw();
  evaluator.run_id = evaluator.key.hex.substr(0, 12);
  return options.published ? print_published(options, evaluator, problems) : prove(options, evaluator, problems);
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Prove that tasks accept what is right and refuse what is damaged.");
  options->problems.add(*command);
  options->device.add(*command);
  CLI::Option* sizes = command->add_option("--sizes", options->set, "Size set beside `check`. Default: smoke on cpu, paper on cuda.")
                           ->check(CLI::IsMember({"smoke", "paper", "large"}));
  command
      ->add_option("--jobs", options->jobs,
                   "Builds, and problems, in parallel; at most two problems on a GPU. Default: the number of cores.")
      ->check(CLI::Range(1, 256));
  CLI::Option* verbose = command->add_flag("--verbose", options->verbose, "Every statement, not only those that fail.");
  CLI::Option* published =
      command->add_flag("--published", options->published, "What the published rule accepts instead (docs/published-checks.md).")
          ->excludes(sizes)
          ->excludes(verbose);
  command->add_option("--format", options->format, "text or markdown, with --published.")
      ->check(CLI::IsMember({"text", "markdown"}))
      ->capture_default_str()
      ->needs(published);
  command->callback([options, &context] { context.exit_code = execute(*options); });
}

}  // namespace mskb::cli
