#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <thread>

#include "base/characters.hpp"
#include "base/counted.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/session_time.hpp"
#include "cli/stop_note.hpp"
#include "commit.hpp"
#include "evaluate/self_test_run.hpp"
#include "evaluate/baselines.hpp"
#include "optimize/campaign.hpp"
#include "profile/thresholds_file.hpp"
#include "report/tables.hpp"
#include "store/run_reader.hpp"
#include "store/run_writer.hpp"

namespace mskb::cli {

namespace {

struct OptimizeWords {
  ProblemOptions problems;
  DeviceOptions device;
  std::string optimizer, protocol = "strict", out, budget, session_time = "1h", device_time, trial_time = "3s";
  std::vector<std::string> options, sets, baselines;
  double evaluations = 20, tokens = 0, money = 0;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  int sessions = 1;
  bool resume = false, step = false, off_device = false, screen = false, no_sandbox = false, cases = false;
  std::vector<std::string> command;
};

std::map<std::string, std::string> parse_options(const std::vector<std::string>& words) {
  std::map<std::string, std::string> options;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError(fmt::format("--option {}: write NAME=VALUE", word));
    }
    options[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return options;
}

Budget session_budget(const OptimizeWords& words) {
  Budget budget;
  budget.evaluations = words.evaluations;
  budget.wall_s = parse_session_time(words.session_time);
  if (words.tokens > 0) {
    budget.tokens = words.tokens;
  }
  if (words.money > 0) {
    budget.money = words.money;
  }
  if (!words.device_time.empty()) {
    budget.device_s = parse_duration(words.device_time, "--device-time");
  }
  return budget;
}

EvaluatorOptions evaluator_options(const OptimizeWords& words, const DeviceOptions::Choice& device) {
  EvaluatorOptions options;
  options.home = home_directory();
  options.cache = cache_directory();
  options.backend = device.backend;
  options.device = device.ordinal;
  options.protocol = words.protocol == "paper" ? Protocol::paper : Protocol::strict;
  options.sandbox = choose_sandbox(words.no_sandbox, device.backend == Backend::cuda && !words.off_device);
  options.jobs = words.jobs;
  if (!words.budget.empty()) {
    options.budget = std::chrono::duration<double>(parse_duration(words.budget, "--budget"));
  }
  return options;
}

std::map<std::string, std::vector<Candidate>> baselines(const OptimizeWords& words, const std::filesystem::path& home,
                                                        const std::vector<Problem>& problems, bool cpu) {
  std::map<std::string, std::vector<Candidate>> found;
  std::vector<std::string> wanted = words.baselines;
  if (wanted.empty() && !cpu) {
    wanted = {"all"};
  }
  std::erase(wanted, "none");
  if (cpu && !wanted.empty()) {
    throw InputError("--baselines: vendor libraries need a GPU; leave it out with --device cpu");
  }
  const auto libraries = load_baseline_libraries(home);
  for (const Problem& problem : problems) {
    found[problem.name()] = baseline_candidates(home, libraries, problem, wanted);
  }
  return found;
}

Run run_head(const OptimizeWords& words, const EvaluatorOptions& evaluator) {
  Run head;
  head.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  head.tool_version = MSKB_VERSION;
  head.tool_commit = MSKB_COMMIT;
  head.command = words.command;
  head.protocol = evaluator.backend == Backend::cpu ? "verdicts" : to_string(evaluator.protocol);
  head.sandbox = to_string(evaluator.sandbox);
  return head;
}

constexpr int waits = 4;  // exit code: sessions wait for something, or for the device, and nothing was measured yet

int tell_what_waits(const OptimizeOptions& options, const CampaignResult& result) {
  std::map<std::string, int> folders;
  int for_device = 0;
  for (const auto& [problem, outcome] : result.sessions) {
    if (outcome.ending != SessionEnding::suspended) {
      continue;
    }
    fmt::print("{}: {}\n", problem, visible_line(outcome.detail));
    if (outcome.awaits == awaits_device) {
      ++for_device;
    } else {
      ++folders[outcome.awaits.empty() ? "" : (options.out / outcome.awaits).parent_path().string()];
    }
  }
  const int for_answers = result.suspended - for_device;
  const std::string where = folders.size() == 1 && !folders.begin()->first.empty() ? " in " + folders.begin()->first : "";
  std::string what = for_answers > 0 ? fmt::format("{} of {} {} for answers{}", for_answers, counted(result.sessions.size(), "session"), for_answers == 1 ? "waits" : "wait", where) : "";
  if (for_device > 0) {
    what += fmt::format("{}{} of {} {} for the device", what.empty() ? "" : ", ", for_device, counted(result.sessions.size(), "session"), for_device == 1 ? "waits" : "wait");
  }
  if (result.suspended == 0) {
    fmt::print("{} ended; the final measurement waits for the device\n", counted(result.sessions.size(), "session has", "sessions have"));
  } else {
    fmt::print("{}; what each awaits stands in {}; start again when it is there\n", visible_line(what), (options.out / "waiting.json").string());
  }
  return waits;
}

// That of the run in --out, which need not be here.
DeviceOptions::Choice device_of(const OptimizeWords& words) {
  if (words.out.empty() || !holds_run(words.out)) {
    throw InputError("--off-device: goes on with a run that began on its device; name it by --out");
  }
  return {read_run(words.out).run.environment.backend == "cpu" ? Backend::cpu : Backend::cuda, 0};
}

// The CPU backend, as a first judge.
EvaluatorOptions screening(EvaluatorOptions options) {
  options.backend = Backend::cpu;
  options.device = 0;
  options.timing = false;
  return options;
}

int execute(const OptimizeWords& words) {
  const auto home = home_directory();
  const std::vector<Task> tasks = load_tasks_for(home, words.problems.tasks);
  OptimizeOptions options;
  options.optimizer = find_optimizer(home, words.optimizer);
  options.optimizer_options = parse_options(words.options);
  options.optimizer.with_options(options.optimizer_options);  // refuses before anything is asked of a device
  options.problems = words.problems.problems(tasks);
  const DeviceOptions::Choice device = words.off_device ? device_of(words) : words.device.choose();
  const bool cpu = device.backend == Backend::cpu;
  options.sets = words.sets;
  if (options.sets.empty()) {
    options.sets = {cpu ? "smoke" : "paper"};
  }
  options.baselines = baselines(words, home, options.problems, cpu);
  options.budget = session_budget(words);
  options.protocol = words.protocol;
  options.clock = cpu ? "" : words.protocol == "paper" ? "batch" : "span";
  options.sessions = words.sessions;
  if ((words.resume || words.step) && words.out.empty()) {
    throw InputError(fmt::format("{}: name the run to go on with by --out", words.resume ? "--resume" : "--step"));
  }
  options.off_device = words.off_device;
  options.resume = words.resume || words.off_device || (words.step && holds_run(words.out));
  if (words.step && options.optimizer.options.contains("wait_s")) {
    options.optimizer.options["wait_s"] = "0";
  }
  options.out = words.out.empty() ? fmt::format("out/{}-{:%Y%m%d-%H%M%S}", options.optimizer.name, fmt::gmtime(std::time(nullptr)))
                                  : words.out;
  EvaluatorOptions evaluator = evaluator_options(words, device);
  if (!words.off_device) {
    require_device(device);
  }
  if (options.resume && holds_run(options.out)) {
    evaluator.budget_spent = std::chrono::duration<double>(seconds_of_timed_cases(read_run(options.out)));
  }
  hide_what_candidates_need_not_see(evaluator.home);
  hide_from_sandbox(options.out);
  options.head = run_head(words, evaluator);
  options.open = evaluators(evaluator);
  EvaluatorOptions trials = evaluator;
  trials.budget = trials.budget_spent = {};  // that of --budget is for the final measurement
  trials.case_budget = std::chrono::duration<double>(parse_duration(words.trial_time, "--trial-time"));
  options.open_for_sessions = evaluators(trials);
  options.build_ahead = builds_ahead(evaluator);
  if (words.screen && !cpu) {
    options.open_screen = evaluators(screening(trials));
  }
  options.profiles.take = [profiler = profiler_options(evaluator)](const Case& test_case, const Candidate& candidate) {
    return profile_candidate(profiler, test_case, candidate);
  };
  options.profiles.thresholds = [&](const std::string& name) { return device_thresholds(home, name); };
  options.shown_as = {{evaluator.home.string(), "<home>"}, {evaluator.cache.string(), "<cache>"}};
  Progress progress;
  options.progress = [&](const std::string& text) { progress.show(text); };
  options.notice = [&](const std::string& text) { progress.notice(text); };

  if (!options.resume) {
    options.head.figures = run_self_test(evaluator, options.problems.front(), options.sets, options.progress);
  }
  tell_how_to_go_on("optimize", options.out.string());
  const CampaignResult result = run_optimize(options);
  progress.show("");
  if (!result.measured) {
    return tell_what_waits(options, result);
  }
  for (const auto& [problem, outcome] : result.sessions) {
    if (outcome.ending != SessionEnding::submitted) {
      fmt::print(stderr, "mskb: {}: {} submitted nothing ({}): {}\n", problem, options.optimizer.name, to_string(outcome.ending),
                 visible_line(outcome.detail));
    }
  }
  const StoredRun stored = read_run(options.out);
  ReportOptions report;
  report.cases = words.cases;
  fmt::print("{}\nrecords: {}\n", render_report(stored, Format::text, report), options.out.string());
  return exit_code_of(stored);
}

}  // namespace

void add_optimize(CLI::App& app, Context& context) {
  auto words = std::make_shared<OptimizeWords>();
  CLI::App* command = app.add_subcommand(
      "optimize", "Let an optimizer propose kernels, one session per problem, and measure what it submits; write the records of a run.");
  words->problems.add(*command);
  words->device.add(*command);
  command->add_option("--optimizer", words->optimizer, "Optimizer by name or directory (docs/optimizer-protocol.md).")->required();
  command->add_option("--option", words->options, "An option of the optimizer, NAME=VALUE; repeatable.");
  command->add_option("--evaluations", words->evaluations, "Candidates that a session may have evaluated.")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--tokens", words->tokens, "Tokens that a session may report. Default: without limit.")->check(positive_number());
  command->add_option("--money", words->money, "US dollars that a session may report. Default: without limit.")->check(positive_number());
  command->add_option("--device-time", words->device_time, "Device time of a session, e.g. 10m. Default: without limit.");
  command->add_option("--session-time", words->session_time, "Wall time of a session, 1s or more.")->capture_default_str();
  command
      ->add_option("--sizes", words->sets,
                   "Size set of the final measurement: smoke, paper, large, check; repeatable. Default: paper on cuda, smoke on cpu.")
      ->check(CLI::IsMember({"smoke", "paper", "large", "check"}));
  command->add_option("--baselines", words->baselines, "Vendor libraries in the final measurement: all, none, or names. Default: all on cuda.");
  command->add_option("--protocol", words->protocol, "strict or paper.")->check(CLI::IsMember({"strict", "paper"}))->capture_default_str();
  command->add_option("--budget", words->budget, "Time for all timing of the final measurement, e.g. 8m.");
  command->add_option("--trial-time", words->trial_time, "Most time for timing one case of an evaluation that a session asks for, e.g. 0.5s.")
      ->capture_default_str();
  command->add_option("--out", words->out, "Directory of the run's records. Default: out/<optimizer>-<time>.");
  command->add_option("--sessions", words->sessions,
                      "Sessions led at once: one may wait for a language model while the device serves another, one at a time.")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--jobs", words->jobs, "Builds in parallel in the final measurement. Default: the number of cores.")->check(CLI::Range(1, 256));
  command->add_flag("--resume", words->resume,
                    "Go on with the run in --out: sessions go on from their transcripts, and nothing that is on record is repeated.");
  command->add_flag("--step", words->step,
                    "Start or go on with the run in --out, do all that can be done without waiting for an answer, and end with exit code 4 "
                    "while sessions wait.");
  command->add_flag("--screen", words->screen,
                    "Judge what the agents propose on the CPU backend first, at the smoke sizes; what is wrong there does not reach the device.");
  command->add_flag("--off-device", words->off_device,
                    "Go on with the run in --out on a machine without its device, as far as that goes: what does not compile, and with --screen "
                    "what is wrong on the CPU, is sent back to the agents; sessions that need the device wait for it.");
  command->add_flag("--no-sandbox", words->no_sandbox, "Run candidates without a sandbox; every table says so.");
  command->add_flag("--cases", words->cases, "Print a line per case too.");
  command->callback([words, &context] {
    words->command = context.command;
    context.exit_code = execute(*words);
  });
}

}  // namespace mskb::cli
