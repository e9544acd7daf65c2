#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <thread>

#include "base/counted.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/replace.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/plan.hpp"
#include "cli/resume.hpp"
#include "cli/stop_note.hpp"
#include "commit.hpp"
#include "evaluate/closing_figures.hpp"
#include "evaluate/self_test_run.hpp"
#include "report/self_test.hpp"
#include "report/tables.hpp"
#include "store/run_reader.hpp"
#include "store/run_writer.hpp"

namespace mskb::cli {

namespace {

struct RunOptions {
  ProblemOptions problems;
  DeviceOptions device;
  PlanRequest plan;
  std::string protocol = "strict", out, budget, hang_limit, key, sanitizer_tool;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool resume = false, sanitize = false, races = false, no_sandbox = false, no_timing = false, cases = false;
  std::vector<std::string> command;
};

std::string slug(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::tolower(c)) : '-';
  }
  return result;
}

std::filesystem::path default_directory(const Environment& environment) {
  return std::filesystem::path("out") / fmt::format("{}-{:%Y%m%d-%H%M%S}", slug(environment.device), fmt::gmtime(std::time(nullptr)));
}

std::size_t count_cases(const std::vector<ProblemPlan>& plans) {
  std::size_t cases = 0;
  for (const ProblemPlan& plan : plans) {
    std::set<std::string> sets(plan.sets.begin(), plan.sets.end());
    sets.insert("check");
    for (const std::string& set : sets) {
      cases += make_cases(plan.problem, set).size();
    }
  }
  return cases;
}

Run new_run(const RunOptions& options, const EvaluatorOptions& evaluator, const Environment& environment,
            const std::vector<ProblemPlan>& plans) {
  Run run;
  run.id = evaluator.run_id;
  run.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  run.tool_version = MSKB_VERSION;
  run.tool_commit = MSKB_COMMIT;
  run.command = options.command;
  run.protocol = evaluator.backend == Backend::cpu ? "verdicts" : to_string(evaluator.protocol);
  run.sandbox = to_string(evaluator.sandbox);
  run.key = evaluator.key.hex;
  run.environment = environment;
  run.figures["planned_problems"] = std::to_string(plans.size());
  run.figures["planned_cases"] = std::to_string(count_cases(plans));
  return run;
}

int execute(RunOptions& options) {
  const auto home = home_directory();
  const std::vector<Task> tasks = load_tasks_for(home, options.problems.tasks);
  const std::vector<Problem> problems = options.problems.problems(tasks);
  const DeviceOptions::Choice device = options.device.choose();
  const bool cpu = device.backend == Backend::cpu;
  if (!options.sanitizer_tool.empty() && (cpu || !options.sanitize)) {
    throw InputError("--sanitizer-tool: goes with --sanitize on a GPU");
  }
  if (options.races && (!cpu || options.sanitize)) {
    throw InputError(cpu ? "--races: another build than --sanitize; run them one after the other"
                         : "--races: goes with --device cpu; on a GPU use --sanitize --sanitizer-tool racecheck");
  }
  if (options.plan.sets.empty()) {
    options.plan.sets = {cpu ? "smoke" : "paper"};
  }
  if (options.plan.baselines.empty() && !cpu) {
    options.plan.baselines = {"all"};
  }
  if (std::erase(options.plan.baselines, "none") == 0 && cpu && !options.plan.baselines.empty()) {
    throw InputError("--baselines: vendor libraries need a GPU; leave it out with --device cpu");
  }
  options.plan.slower_self_test = options.protocol == "strict";
  const std::vector<ProblemPlan> plans = make_plans(home, problems, options.plan);

  EvaluatorOptions evaluator;
  evaluator.home = home;
  evaluator.cache = cache_directory();
  evaluator.backend = device.backend;
  evaluator.device = device.ordinal;
  evaluator.protocol = options.protocol == "paper" ? Protocol::paper : Protocol::strict;
  evaluator.sandbox = choose_sandbox(options.no_sandbox, !cpu && !options.no_timing && !options.sanitize);
  evaluator.sanitize = options.sanitize;
  evaluator.races = options.races;
  if (!options.sanitizer_tool.empty()) {
    evaluator.sanitizer_tool = options.sanitizer_tool;
  }
  evaluator.timing = !options.no_timing;
  evaluator.jobs = options.jobs;
  if (!options.budget.empty()) {
    evaluator.budget = std::chrono::duration<double>(parse_duration(options.budget, "--budget"));
  }

  if (!options.hang_limit.empty()) {
    evaluator.hang_limit = std::chrono::duration<double>(parse_duration(options.hang_limit, "--hang-limit"));
  }

  hide_what_candidates_need_not_see(home);
  std::optional<RunWriter> writer;
  if (options.resume && options.out.empty()) {
    throw InputError("--resume: name the run to go on with by --out");
  }
  const bool resumed = options.resume && holds_run(options.out);
  StoredRun before;
  if (resumed) {
    writer = RunWriter::resume(options.out);
    before = read_run(options.out);
    evaluator.key = RunKey::parse(before.run.key);
    evaluator.run_id = before.run.id;
    evaluator.budget_spent = std::chrono::duration<double>(seconds_of_timed_cases(before));
  } else {
    evaluator.key = options.key.empty() ? RunKey::draw() : RunKey::parse(options.key);
    evaluator.run_id = RunKey::draw().hex.substr(0, 12);
  }
  Progress progress;
  auto self_test = run_self_test(evaluator, plans.front().problem, options.plan.sets, [&](const std::string& text) { progress.show(text); });
  if (self_test.at("self_test").starts_with("failed: ")) {
    progress.notice("the self-test " + self_test.at("self_test") + "; every table will call this run unfit");
  }
  if (!unfit_reason(before.run).empty()) {  // what was measured before stays in doubt
    self_test = before.run.figures;
    std::erase_if(self_test, [](const auto& figure) { return !figure.first.starts_with("self_test"); });
  }
  Evaluator evaluate(evaluator);
  Run run = new_run(options, evaluator, evaluate.environment(), plans);
  run.figures.insert(self_test.begin(), self_test.end());
  if (resumed) {
    require_same_run(before, run, plans);
  } else {
    if (options.out.empty()) {
      options.out = default_directory(evaluate.environment());
    }
    writer = RunWriter::create(options.out, run);
  }

  hide_from_sandbox(options.out);
  tell_how_to_go_on("run", options.out);

  EvaluatorSink sink;
  sink.has_group = [&](const std::string& group) { return writer->has_group(group); };
  sink.failed_check = [failed = failed_checks(before)](const Problem& problem, const Candidate& candidate) {
    return failed.contains(problem.name() + " " + candidate.id());
  };
  sink.built = [&](const Problem& problem, const Candidate& candidate, const BuildResult& build) {
    writer->keep_candidate(candidate);
    if (!build.log.empty() && std::filesystem::exists(build.log)) {
      std::string log = read_file(build.log);  // where things lay on this machine is nothing that a record needs
      replace_all(log, evaluator.cache.string(), "$MSKB_CACHE");
      replace_all(log, home.string(), ".");
      writer->keep_log(fmt::format("{}-{}.log", candidate.id(), to_string(problem.precision)), log);
    }
  };
  std::size_t groups = 0;
  sink.group = [&](const std::vector<Evaluation>& group) {
    writer->append(group);
    progress.show(fmt::format("{} done, last {}", counted(++groups, "case"), group.front().case_name));
  };
  sink.notice = [&](const std::string& text) { progress.notice(text); };
  sink.progress = [&](const std::string& text) { progress.show(text); };
  evaluate.run(plans, sink);
  progress.show("");
  if (groups > 0 || !before.run.figures.contains("wall_s")) {  // a resumed run that was complete keeps its figures
    std::map<std::string, std::string> figures = evaluate.figures();
    figures.insert(self_test.begin(), self_test.end());
    figures.merge(closing_figures(read_run(options.out).evaluations));
    writer->finish(figures);
  }

  const StoredRun stored = read_run(options.out);
  ReportOptions report;
  report.cases = options.cases;
  fmt::print("{}\nrecords: {}\n", render_report(stored, Format::text, report), options.out);
  return exit_code_of(stored);
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Verify and time candidates against the reference; write the records of a run.");
  options->problems.add(*command);
  options->device.add(*command);
  command->add_option("--sizes", options->plan.sets, "Size set: smoke, paper, large, check; repeatable. Default: paper on cuda, smoke on cpu.")
      ->check(CLI::IsMember({"smoke", "paper", "large", "check"}));
  command->add_option("--optimizer", options->plan.optimizers, "Optimizer by name or directory, of a kind that needs no process; repeatable.");
  command->add_option("--candidate", options->plan.candidate_files, "A .cu file that exports the task's entry point; repeatable.");
  command->add_option("--baselines", options->plan.baselines, "Vendor libraries: all, none, or names; repeatable. Default: all on cuda.");
  command->add_option("--protocol", options->protocol, "strict or paper.")->check(CLI::IsMember({"strict", "paper"}))->capture_default_str();
  command->add_option("--out", options->out, "Directory of the run's records. Default: out/<device>-<time>.");
  command->add_option("--budget", options->budget, "Time for all timing, e.g. 8m; a case gets its share, at least 8 rounds.");
  command->add_option("--hang-limit", options->hang_limit,
                      "Time after which a call of a candidate is killed, beside 20 calls of the reference. Default: 2s on cuda, 20s on cpu.");
  command->add_option("--key", options->key, "The run's key, 32 hexadecimal digits, to repeat contents. Default: drawn.");
  command->add_option("--jobs", options->jobs, "Builds in parallel. Default: the number of cores.")->check(CLI::Range(1, 256));
  command->add_flag("--resume", options->resume, "Go on with the run in --out: cases on record are not repeated.");
  command->add_flag("--sanitize", options->sanitize,
                    "Verdicts only, with faults named by line of the .cu file. cpu: AddressSanitizer and UBSan; cuda: compute-sanitizer.");
  command->add_flag("--races", options->races,
                    "cpu: verdicts only, with data races between CUDA threads named by line of the .cu file (docs/races.md).");
  command->add_option("--sanitizer-tool", options->sanitizer_tool, "cuda: memcheck, initcheck, racecheck or synccheck. Default: memcheck.")
      ->check(CLI::IsMember({"memcheck", "initcheck", "racecheck", "synccheck"}));
  command->add_flag("--self-test", options->plan.self_test, "Also time the reference against itself and a copy that is 5 % slower (strict only).");
  command->add_flag("--no-timing", options->no_timing, "Verdicts only.");
  command->add_flag("--no-sandbox", options->no_sandbox, "Run candidates without a sandbox; every table says so.");
  command->add_flag("--cases", options->cases, "Print a line per case too.");
  command->callback([options, &context] {
    options->command = context.command;
    context.exit_code = execute(*options);
  });
}

}  // namespace mskb::cli
