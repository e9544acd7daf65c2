#include <fmt/chrono.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/session_time.hpp"
#include "commit.hpp"
#include "evaluate/self_test_run.hpp"
#include "optimize/campaign.hpp"
#include "optimize/mcp_channel.hpp"
#include "profile/thresholds_file.hpp"
#include "report/tables.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

namespace {

struct McpWords {
  std::string task, precision = "fp32", name = "mcp", protocol = "strict", out, budget, session_time = "4h";
  DeviceOptions device;
  std::vector<std::string> sets;
  double evaluations = 20;
  bool no_sandbox = false;
  std::vector<std::string> command;
};

OptimizerFile client_as_optimizer(const std::string& name) {
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; });
  if (!plain) {
    throw InputError(fmt::format("--name '{}': use letters, digits, '-', '_' and '.'", name));
  }
  OptimizerFile file;
  file.name = name;
  file.kind = OptimizerKind::program;
  return file;
}

Run head_of_run(const McpWords& words, const EvaluatorOptions& evaluator) {
  Run head;
  head.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  head.tool_version = MSKB_VERSION;
  head.tool_commit = MSKB_COMMIT;
  head.command = words.command;
  head.protocol = evaluator.backend == Backend::cpu ? "verdicts" : to_string(evaluator.protocol);
  head.sandbox = to_string(evaluator.sandbox);
  return head;
}

int execute(const McpWords& words) {
  const auto home = home_directory();
  const std::vector<Task> tasks = load_tasks_for(home, {words.task});
  const std::vector<const Task*> chosen = select_tasks(tasks, {words.task});
  if (chosen.size() != 1) {
    throw InputError(fmt::format("--task {}: names {} tasks; a session has one", words.task, chosen.size()));
  }
  const DeviceOptions::Choice device = words.device.choose();
  require_device(device);
  const bool cpu = device.backend == Backend::cpu;
  EvaluatorOptions evaluator;
  evaluator.home = home;
  evaluator.cache = cache_directory();
  evaluator.backend = device.backend;
  evaluator.device = device.ordinal;
  evaluator.protocol = words.protocol == "paper" ? Protocol::paper : Protocol::strict;
  evaluator.sandbox = choose_sandbox(words.no_sandbox, !cpu);
  if (!words.budget.empty()) {
    evaluator.budget = std::chrono::duration<double>(parse_duration(words.budget, "--budget"));
  }

  McpChannel channel(STDIN_FILENO, STDOUT_FILENO, MSKB_VERSION);
  OptimizeOptions options;
  options.optimizer = client_as_optimizer(words.name);
  options.problems = {{chosen.front(), words.precision == "bf16" ? Precision::bf16 : Precision::fp32}};
  options.sets = words.sets.empty() ? std::vector<std::string>{cpu ? "smoke" : "paper"} : words.sets;
  options.budget.evaluations = words.evaluations;
  options.budget.wall_s = parse_session_time(words.session_time);
  constexpr std::chrono::minutes for_an_agent_to_decide{10};
  options.limits.after_stop = for_an_agent_to_decide;
  options.protocol = words.protocol;
  options.clock = cpu ? "" : words.protocol == "paper" ? "batch" : "span";
  options.out = words.out.empty() ? fmt::format("out/{}-{:%Y%m%d-%H%M%S}", words.name, fmt::gmtime(std::time(nullptr))) : words.out;
  hide_what_candidates_need_not_see(home);
  hide_from_sandbox(options.out);
  options.head = head_of_run(words, evaluator);
  options.head.figures = run_self_test(evaluator, options.problems.front(), options.sets, [](const std::string&) {});
  options.open = evaluators(evaluator);
  options.build_ahead = builds_ahead(evaluator);
  options.connect = [&](const Problem&) -> OptimizerChannel& { return channel; };
  options.profiles.take = [profiler = profiler_options(evaluator)](const Case& test_case, const Candidate& candidate) {
    return profile_candidate(profiler, test_case, candidate);
  };
  options.profiles.thresholds = [&](const std::string& name) { return device_thresholds(home, name); };
  options.shown_as = {{evaluator.home.string(), "<home>"}, {evaluator.cache.string(), "<cache>"}};

  ::signal(SIGPIPE, SIG_IGN);  // a client that has gone is no failure
  const CampaignResult result = run_optimize(options);
  const StoredRun stored = read_run(options.out);
  const std::string report = fmt::format("{}\nrecords: {}\n", render_report(stored, Format::text, {}), options.out.string());
  const SessionOutcome& outcome = result.sessions.begin()->second;
  const bool submitted = outcome.ending == SessionEnding::submitted;
  channel.answer_submission(submitted || outcome.ending == SessionEnding::nothing_submitted
                                ? report
                                : fmt::format("the session ended: {}: {}", to_string(outcome.ending), outcome.detail),
                            !submitted && outcome.ending != SessionEnding::nothing_submitted);
  fmt::print(stderr, "{}", report);
  channel.serve_the_rest();
  return exit_code_of(stored);
}

}  // namespace

void add_mcp(CLI::App& app, Context& context) {
  auto words = std::make_shared<McpWords>();
  CLI::App* command = app.add_subcommand(
      "mcp", "Serve one optimizer session over the Model Context Protocol, on standard input and output (docs/mcp.md); write the records of a run.");
  command->add_option("--task", words->task, "Task.")->required();
  command->add_option("--precision", words->precision, "fp32 or bf16.")->check(CLI::IsMember({"fp32", "bf16"}))->capture_default_str();
  words->device.add(*command);
  command->add_option("--name", words->name, "What the client is called in the records.")->capture_default_str();
  command->add_option("--evaluations", words->evaluations, "Candidates that the session may have evaluated.")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--session-time", words->session_time, "Wall time of the session, 1s or more.")->capture_default_str();
  command
      ->add_option("--sizes", words->sets,
                   "Size set of the final measurement: smoke, paper, large, check; repeatable. Default: paper on cuda, smoke on cpu.")
      ->check(CLI::IsMember({"smoke", "paper", "large", "check"}));
  command->add_option("--protocol", words->protocol, "strict or paper.")->check(CLI::IsMember({"strict", "paper"}))->capture_default_str();
  command->add_option("--budget", words->budget, "Time for all timing of the final measurement, e.g. 8m.");
  command->add_option("--out", words->out, "Directory of the run's records. Default: out/<name>-<time>.");
  command->add_flag("--no-sandbox", words->no_sandbox, "Run candidates without a sandbox; every table says so.");
  command->callback([words, &context] {
    words->command = context.command;
    context.exit_code = execute(*words);
  });
}

}  // namespace mskb::cli
