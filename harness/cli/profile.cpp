#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/counted.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/calibrate.hpp"
#include "cli/options.hpp"
#include "cli/plan.hpp"
#include "profile/profile_json.hpp"
#include "profile/profiler.hpp"
#include "profile/thresholds_file.hpp"

namespace mskb::cli {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ProblemOptions problems;
  DeviceOptions device;
  std::vector<std::string> calibrate, optimizers, candidates;
  std::string sizes = "paper", out, time_limit = "2m";
  int index = -1;
  bool no_sandbox = false;
};

// --case N of the set; without it the case of the largest weight.
std::optional<Case> chosen_case(const Options& options, const Problem& problem) {
  std::vector<Case> cases = make_cases(problem, options.sizes);
  if (cases.empty()) {
    return std::nullopt;
  }
  if (options.index < 0) {
    return *std::max_element(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.weight < b.weight; });
  }
  if (options.index >= static_cast<int>(cases.size())) {
    throw InputError(fmt::format("--case {}: {} has {} of size set {}, counted from 0", options.index, problem.name(), counted(cases.size(), "case"), options.sizes));
  }
  return cases[static_cast<std::size_t>(options.index)];
}

// A name for a folder from "optimizer:<name>", "file:<name>.cu".
std::string folder_of(const std::string& origin) {
  std::string name = origin;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == ':' || c == '/' || c == '#'; }, '-');
  return name;
}

// The verdicts of the case, then the profiles of those that passed.
class Profiling {
 public:
  Profiling(const Options& options, const EvaluatorOptions& evaluator, fs::path out)
      : options_(options), evaluator_options_(evaluator), out_(std::move(out)), evaluator_(evaluator) {}

  // Whether every candidate passed.
  bool problem(const ProblemPlan& plan);

 private:
  void profile(const Case& test_case, const Candidate& candidate, const Evaluation& evaluation);

  const Options& options_;
  EvaluatorOptions evaluator_options_;
  fs::path out_;
  Evaluator evaluator_;  // holds the device's lock while the profiler works
};

bool Profiling::problem(const ProblemPlan& wanted) {
  const std::optional<Case> test_case = chosen_case(options_, wanted.problem);
  if (!test_case) {
    fmt::print("{}: no case of size set {}\n", wanted.problem.name(), options_.sizes);
    return true;
  }
  ProblemPlan plan = wanted;
  plan.sets = {options_.sizes};
  plan.only_case = test_case->name();
  std::vector<Evaluation> evaluations;
  EvaluatorSink sink;
  sink.group = [&](const std::vector<Evaluation>& group) { evaluations = group; };
  evaluator_.run({plan}, sink);
  bool passed = true;
  for (std::size_t i = plan.candidates.size() > 1 ? 1 : 0; i < evaluations.size(); ++i) {
    profile(*test_case, plan.candidates[i], evaluations[i]);
    passed = passed && !info(evaluations[i].verdict).failure;
  }
  return passed;
}

void Profiling::profile(const Case& test_case, const Candidate& candidate, const Evaluation& evaluation) {
  const fs::path folder = out_ / test_case.name() / folder_of(candidate.origin);
  fs::create_directories(folder);
  ProfilerOptions profiler = profiler_options(evaluator_options_);
  profiler.time_limit = std::chrono::milliseconds(static_cast<std::int64_t>(parse_duration(options_.time_limit, "--time-limit") * 1000));
  profiler.report = [&](const std::string& name, const std::string& csv) { write_file_atomically(folder / (name + ".csv"), csv); };
  ProfileOutcome outcome;
  if (evaluation.verdict == Verdict::passed) {
    outcome = profile_candidate(profiler, test_case, candidate);
  } else {
    outcome.reason = fmt::format("only candidates that passed are profiled; this one: {}", to_string(evaluation.verdict));
  }
  const std::string device = evaluator_.environment().device;
  const Thresholds thresholds = device_thresholds(evaluator_options_.home, device);
  const auto store = [&](const char* name, const Json& json) {
    const Json file{{"case", test_case.name()},    {"candidate", candidate.id()}, {"origin", candidate.origin}, {"device", device},
                    {"verdict", to_string(evaluation.verdict)}, {"profile", json}, {"profile_reason", outcome.reason}};
    write_file_atomically(folder / name, file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  };
  if (!outcome.profile) {
    store("full.json", nullptr);
    store("filtered.json", nullptr);
    fmt::print("{} {}: no profile: {}\n", test_case.name(), candidate.origin, outcome.reason);
    return;
  }
  const Json filtered = filtered_profile(*outcome.profile, thresholds);
  store("full.json", full_profile(*outcome.profile));
  store("filtered.json", filtered);
  const bool classified = filtered.at("class").is_string();
  fmt::print("{} {}: {}\n", test_case.name(), candidate.origin,
             classified ? filtered.at("class").get<std::string>() : "no class: " + filtered.at("class_reason").get<std::string>());
  if (!classified) {
    return;
  }
  for (const auto& [name, reading] : filtered.at("metrics").items()) {
    fmt::print("  {}: {}\n", name,
               reading.at("value").is_null() ? "none: " + reading.at("reason").get<std::string>()
                                             : fmt::format("{:g} {}", reading.at("value").get<double>(), reading.at("unit").get<std::string>()));
  }
}

int execute(const Options& options) {
  if (!options.calibrate.empty()) {
    calibrate_from(options.calibrate);
    return 0;
  }
  parse_duration(options.time_limit, "--time-limit");
  const fs::path home = home_directory();
  const fs::path out = options.out.empty() ? fmt::format("out/profile-{:%Y%m%d-%H%M%S}", fmt::gmtime(std::time(nullptr))) : options.out;
  const std::vector<Task> tasks = load_tasks_for(home, options.problems.tasks);
  PlanRequest request;
  request.optimizers = options.optimizers;
  request.candidate_files = options.candidates;
  request.sets = {options.sizes};
  const std::vector<ProblemPlan> plans = make_plans(home, options.problems.problems(tasks), request);
  for (const ProblemPlan& plan : plans) {
    chosen_case(options, plan.problem);  // a case that is not there is refused before anything runs
  }
  const DeviceOptions::Choice device = options.device.choose();
  hide_what_candidates_need_not_see(home);
  hide_from_sandbox(out);
  EvaluatorOptions evaluator;
  evaluator.home = home;
  evaluator.cache = cache_directory();
  evaluator.backend = device.backend;
  evaluator.device = device.ordinal;
  evaluator.sandbox = choose_sandbox(options.no_sandbox, false);
  evaluator.timing = false;
  evaluator.key = RunKey::draw();
  evaluator.run_id = evaluator.key.hex.substr(0, 12);
  Profiling profiling(options, evaluator, out);
  bool passed = true;
  for (const ProblemPlan& plan : plans) {
    passed = profiling.problem(plan) && passed;
  }
  fmt::print("profiles: {}\n", out.string());
  return passed ? 0 : 1;
}

}  // namespace

void add_profile(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "profile", "Profile one call of each candidate with Nsight Compute; store its full and its filtered profile (docs/profiles.md).");
  options->problems.add(*command);
  options->device.add(*command);
  command->add_option("--sizes", options->sizes, "Size set of the case: smoke, paper, large, check.")
      ->check(CLI::IsMember({"smoke", "paper", "large", "check"}))
      ->capture_default_str();
  command->add_option("--case", options->index, "Which case of the size set, from 0. Default: the one of the largest weight.")
      ->check(CLI::Range(0, 100000));
  command->add_option("--candidate", options->candidates, "A .cu file to profile; repeatable. Default: the reference.");
  command->add_option("--optimizer", options->optimizers, "Finished solutions to profile, by name or directory; repeatable.");
  command->add_option("--out", options->out, "Directory of the profiles. Default: out/profile-<time>.");
  command->add_option("--time-limit", options->time_limit, "Of each run of the profiler.")->capture_default_str();
  command->add_flag("--no-sandbox", options->no_sandbox, "Run candidates without a sandbox.");
  command->add_option("--calibrate", options->calibrate,
                      "Profile nothing; take the classes' thresholds of the device from the references' profiles in these directories.");
  command->callback([options, &context] { context.exit_code = execute(*options); });
}

}  // namespace mskb::cli
