#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/options.hpp"
#include "model/command.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

namespace {

struct Options {
  std::string id, from = "results";
  DeviceOptions device;
  bool sanitize = false, races = false, no_timing = false, no_sandbox = false;
};

int execute(const Options& options) {
  const FoundEvaluation found = find_evaluation(options.from, options.id);
  const Evaluation& stored = found.evaluation;
  const auto home = home_directory();
  hide_what_candidates_need_not_see(home);
  hide_from_sandbox(found.directory);
  const std::vector<Task> tasks = load_tasks_for(home, {stored.task});
  ProblemPlan plan;
  plan.problem = {select_tasks(tasks, {stored.task}, "task ").front(), stored.precision == "fp32" ? Precision::fp32 : Precision::bf16};
  plan.candidates.push_back(reference_candidate(plan.problem));
  if (stored.origin != "reference") {
    plan.candidates.push_back(read_candidate(found.directory, stored.candidate));
    plan.candidates.back().origin = stored.origin;
  }
  plan.sets = {stored.set};
  plan.only_case = stored.case_name;

  const DeviceOptions::Choice device = options.device.choose();
  EvaluatorOptions evaluator;
  evaluator.home = home;
  evaluator.cache = cache_directory();
  evaluator.backend = device.backend;
  evaluator.device = device.ordinal;
  evaluator.protocol = found.run.protocol == "paper" ? Protocol::paper : Protocol::strict;
  evaluator.sandbox = choose_sandbox(options.no_sandbox, device.backend == Backend::cuda && !options.no_timing && !has_word(found.run.command, "--sanitize"));
  const std::vector<std::string>& then = found.run.command;
  const bool own_mode = options.sanitize || options.races;
  evaluator.sanitize = own_mode ? options.sanitize : has_word(then, "--sanitize");
  evaluator.races = own_mode ? options.races : has_word(then, "--races") && device.backend == Backend::cpu;
  if (const std::string tool = option_of(then, "--sanitizer-tool"); !tool.empty()) {
    evaluator.sanitizer_tool = tool;
  }
  if (const std::string limit = option_of(then, "--hang-limit"); !limit.empty()) {
    evaluator.hang_limit = std::chrono::duration<double>(parse_duration(limit, "--hang-limit"));
  }
  evaluator.timing = !options.no_timing;
  evaluator.key = RunKey::parse(stored.key);
  evaluator.run_id = found.run.id;
  if (stored.backend != to_string(device.backend)) {
    fmt::print(stderr, "mskb: recorded on {}; this repeats the verdict on {}, which takes long for a large case\n", stored.device,
               to_string(device.backend));
  }
  int exit_code = 0, evaluated = 0;
  std::string nothing_ran;
  Progress progress;
  EvaluatorSink sink;
  sink.progress = [&](const std::string& text) { progress.show(text); };
  sink.group = [&](const std::vector<Evaluation>& group) {
    const Evaluation& now = group.back();
    ++evaluated;
    fmt::print("{} {} {}\n  then: {} on {}  {}\n  now:  {} on {}  {}\n", now.id, now.case_name, now.origin, to_string(stored.verdict),
               stored.device, stored.detail, to_string(now.verdict), now.device, now.detail);
    for (const auto& [clock, samples] : now.timing ? now.timing->clocks : std::map<std::string, ClockSamples>{}) {
      const bool before = stored.timing && stored.timing->clocks.contains(clock);
      fmt::print("  {}: {:.3f} us, then {}\n", clock, samples.median,
                 before ? fmt::format("{:.3f} us", stored.timing->clocks.at(clock).median) : "none");
    }
    exit_code = info(now.verdict).failure ? 1 : 0;
    nothing_ran = now.verdict == Verdict::skipped && stored.verdict != Verdict::skipped ? now.detail : "";
  };
  Evaluator(evaluator).run({plan}, sink);
  if (evaluated == 0) {
    throw InputError(fmt::format("{}: the task no longer has the case {}", options.id, stored.case_name));
  }
  if (!nothing_ran.empty()) {
    throw InputError(fmt::format("{}: nothing ran ({}); use a machine that has what is missing, or --device cpu for verdicts", options.id, nothing_ran));
  }
  return exit_code;
}

}  // namespace

void add_rerun(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("rerun", "Repeat one evaluation from its record: same sources, same contents, and --sanitize, --races and --hang-limit as in its run.");
  command->add_option("id", options->id, "Evaluation id, or its first digits.")->required();
  command->add_option("--from", options->from, "Directory of the run, or one above several.")->capture_default_str();
  options->device.add(*command);
  command->add_flag("--sanitize", options->sanitize, "cpu: with AddressSanitizer and UBSan.");
  command->add_flag("--races", options->races, "cpu: with data races between CUDA threads as faults.");
  command->add_flag("--no-timing", options->no_timing, "Verdict only.");
  command->add_flag("--no-sandbox", options->no_sandbox, "Run the candidate without a sandbox.");
  command->callback([options, &context] { context.exit_code = execute(*options); });
}

}  // namespace mskb::cli
