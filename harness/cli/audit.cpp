#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "base/characters.hpp"
#include "base/counted.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "cli/options.hpp"
#include "cli/resume.hpp"
#include "evaluate/baselines.hpp"
#include "evaluate/record_audit.hpp"
#include "model/command.hpp"
#include "optimize/session_audit.hpp"
#include "report/self_test.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

namespace {

struct Options {
  std::string run;
  std::vector<std::string> tasks;
  DeviceOptions device;
  int cases = 0;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool records_only = false, no_timing = false, no_sandbox = false, verbose = false;
};

std::vector<std::string> names_of_tasks(const StoredRun& run) {
  std::set<std::string> names;
  for (const Evaluation& evaluation : run.evaluations) {
    names.insert(evaluation.task);
  }
  return {names.begin(), names.end()};
}

class Audit {
 public:
  explicit Audit(const Options& options)
      : options_(options), home_(home_directory()), stored_(read_run(options.run)), tasks_(load_tasks_for(home_, names_of_tasks(stored_))),
        libraries_(load_baseline_libraries(home_)) {}

  int run() {
    const Run& run = stored_.run;
    if (stored_.evaluations.empty() && stored_.valid()) {
      throw InputError(fmt::format("{}: no complete record is on file, so there is nothing to audit; go on with that run, or give another", options_.run));
    }
    fmt::print("{}\n", visible_text(fmt::format("audit of run {}: {}, {} of {}, protocol {}", run.id, run.environment.device, run.tool_version,
                                                run.started, run.protocol)));
    if (const std::string reason = unfit_reason(run); !reason.empty()) {
      fault("run.yaml", "the start-up self-test failed, so that the run is unfit: " + reason);
    }
    records_ = audit_records(stored_, tasks_, home_);
    fmt::print("on record: {}, {}, {} with sources, {} from others\n", counted(records_.groups, "case"), counted(records_.records, "evaluation"),
               counted(records_.candidates.size(), "candidate"), counted(records_.figures, "figure that follows", "figures that follow"));
    for (const auto& findings : {records_.findings, audit_sessions(stored_)}) {
      for (const AuditFinding& finding : findings) {
        fault(finding.where, finding.what);
      }
    }
    if (!options_.records_only) {
      repeat();
    }
    if (faults_ > 0) {
      fmt::print("{}\n", counted(faults_, "thing does not hold", "things do not hold"));
      return 1;
    }
    fmt::print("everything that was looked at holds{}\n", not_repeated_ > 0 ? "; nothing is said of what could not be repeated" : "");
    return 0;
  }

 private:
  void fault(const std::string& where, const std::string& what) {
    ++faults_;
    progress_.clear();
    fmt::print("  DOES NOT HOLD  {}: {}\n", visible_line(where), visible_line(what));
  }

  // By problem, the groups to repeat.
  std::map<std::string, std::set<std::string>> choose(Backend backend) {
    std::set<std::string> wanted;
    for (const Task* task : select_tasks(tasks_, options_.tasks)) {
      wanted.insert(task->name);
    }
    std::vector<const Evaluation*> cases;
    std::set<std::string> seen;
    for (const Evaluation& evaluation : stored_.evaluations) {
      if (!wanted.contains(evaluation.task) || !seen.insert(evaluation.group).second) {
        continue;
      }
      const bool small = evaluation.set == "check" || evaluation.set == "smoke";
      if (backend == Backend::cpu && evaluation.backend == "cuda" && !small) {
        ++too_large_;
      } else {
        cases.push_back(&evaluation);
      }
    }
    selected_ = cases.size() + too_large_;
    if (options_.cases > 0) {  // nobody who made the run could know which
      std::random_device entropy;
      std::mt19937_64 random((std::uint64_t{entropy()} << 32) + entropy());
      std::shuffle(cases.begin(), cases.end(), random);
      cases.resize(std::min(cases.size(), static_cast<std::size_t>(options_.cases)));
    }
    std::map<std::string, std::set<std::string>> chosen;
    for (const Evaluation* evaluation : cases) {
      chosen[evaluation->task + "/" + evaluation->precision].insert(evaluation->group);
    }
    return chosen;
  }

  // What stands on record for a problem's candidate, as far as its sources hold.
  std::optional<Candidate> candidate_of(const Problem& problem, const Evaluation& evaluation) const {
    Candidate named;
    named.origin = evaluation.origin;
    if (named.is_baseline()) {
      const std::string library = evaluation.origin.substr(evaluation.origin.find(':') + 1);
      if (std::any_of(libraries_.begin(), libraries_.end(), [&](const auto& each) { return each.name == library; })) {
        for (const Candidate& candidate : baseline_candidates(home_, libraries_, problem, {library})) {
          if (candidate.id() == evaluation.candidate) {
            return candidate;
          }
        }
      }
      return std::nullopt;
    }
    const auto found = records_.candidates.find(evaluation.candidate);
    if (found == records_.candidates.end()) {
      return std::nullopt;
    }
    Candidate candidate = found->second;
    candidate.origin = evaluation.origin;
    return candidate;
  }

  std::vector<ProblemPlan> plans_for(const std::map<std::string, std::set<std::string>>& chosen) const {
    std::vector<ProblemPlan> plans;
    for (const auto& [name, groups] : chosen) {
      ProblemPlan plan;
      std::set<std::string> members;
      std::optional<Candidate> reference;
      for (const Evaluation& evaluation : stored_.evaluations) {
        if (evaluation.task + "/" + evaluation.precision != name) {
          continue;
        }
        plan.problem = {select_tasks(tasks_, {evaluation.task}, "task ").front(), evaluation.precision == "fp32" ? Precision::fp32 : Precision::bf16};
        if (evaluation.set != "check" && std::find(plan.sets.begin(), plan.sets.end(), evaluation.set) == plan.sets.end()) {
          plan.sets.push_back(evaluation.set);
        }
        if (!members.insert(evaluation.origin + " " + evaluation.candidate).second) {
          continue;
        }
        if (auto candidate = candidate_of(plan.problem, evaluation)) {
          (evaluation.origin == "reference" ? reference.emplace() : plan.candidates.emplace_back()) = std::move(*candidate);
        }
      }
      plan.candidates.insert(plan.candidates.begin(), reference ? *reference : reference_candidate(plan.problem));
      plans.push_back(std::move(plan));
    }
    return plans;
  }

  EvaluatorOptions evaluator_options(const DeviceOptions::Choice& device) const {
    const Run& run = stored_.run;
    EvaluatorOptions evaluator;
    evaluator.home = home_;
    evaluator.cache = cache_directory();
    evaluator.backend = device.backend;
    evaluator.device = device.ordinal;
    evaluator.protocol = run.protocol == "paper" ? Protocol::paper : Protocol::strict;
    evaluator.sanitize = has_word(run.command, "--sanitize");
    evaluator.races = has_word(run.command, "--races") && device.backend == Backend::cpu;
    evaluator.timing = !options_.no_timing && !has_word(run.command, "--no-timing");
    evaluator.sandbox = choose_sandbox(options_.no_sandbox, device.backend == Backend::cuda && evaluator.timing && !evaluator.sanitize);
    evaluator.jobs = options_.jobs;
    if (const std::string limit = option_of(run.command, "--hang-limit"); !limit.empty()) {
      evaluator.hang_limit = std::chrono::duration<double>(parse_duration(limit, "--hang-limit"));
    }
    evaluator.key = RunKey::is_key(run.key) ? RunKey::parse(run.key) : RunKey::draw();  // of one that is none the records' audit tells
    evaluator.run_id = run.id;
    return evaluator;
  }

  void repeat() {
    const DeviceOptions::Choice device = options_.device.choose();
    const auto chosen = choose(device.backend);
    const std::vector<ProblemPlan> plans = plans_for(chosen);
    hide_what_candidates_need_not_see(home_);
    hide_from_sandbox(stored_.directory);
    EvaluatorOptions options = evaluator_options(device);
    std::optional<Evaluator> evaluator(options);
    const std::string device_name = evaluator->environment().device;
    std::map<std::string, const Evaluation*> then;
    for (const Evaluation& evaluation : stored_.evaluations) {
      then[evaluation.group + " " + evaluation.origin + " " + evaluation.candidate] = &evaluation;
    }
    std::set<std::string> repeated;
    bool any_ran = false;
    std::string skipped_because;  // the last that was skipped
    EvaluatorSink sink;
    sink.has_group = [&](const std::string& group) {
      return std::none_of(chosen.begin(), chosen.end(), [&](const auto& problem) { return problem.second.contains(group); });
    };
    sink.failed_check = [failed = failed_checks(stored_)](const Problem& problem, const Candidate& candidate) {
      return failed.contains(problem.name() + " " + candidate.id());
    };
    sink.progress = [&](const std::string& text) { progress_.show(text); };
    sink.notice = [&](const std::string& text) { progress_.notice(text); };
    sink.group = [&](const std::vector<Evaluation>& group) {
      ++repeated_cases_;
      for (const Evaluation& now : group) {
        any_ran = any_ran || (now.verdict != Verdict::skipped && now.verdict != Verdict::build_failed);
        if (now.verdict == Verdict::skipped) {
          skipped_because = now.detail;
        }
        const auto found = then.find(now.group + " " + now.origin + " " + now.candidate);
        if (found != then.end()) {
          repeated.insert(found->first);
          compare(*found->second, now);
          if (found->second->verdict == Verdict::passed && now.verdict == Verdict::passed) {
            passed_again_.insert(found->first);
          }
        }
      }
    };
    evaluator->run(plans, sink);
    evaluator.reset();  // a device serves one at a time
    progress_.clear();
    if (repeated_cases_ > 0 && !any_ran && !skipped_because.empty()) {
      throw InputError(fmt::format("nothing could be repeated ({}); use a machine that has what is missing, --device cpu, or --records-only",
                                   skipped_because));
    }
    judge_with_fresh_contents(std::move(options), plans, sink, then);
    for (const auto& [name, evaluation] : then) {
      if (!sink.has_group(evaluation->group) && !repeated.contains(name)) {
        not_repeated(*evaluation, "its case or its sources are not what they were, or not there");
      }
    }
    fmt::print("repeated on {}: {} of {}; {}, {}; {} could not be repeated\n", device_name, repeated_cases_,
               counted(selected_, "case"), counted(verdicts_, "verdict holds", "verdicts hold"),
               counted(speedups_, "speedup holds", "speedups hold"), not_repeated_);
    fmt::print("judged again with contents of another key: {}\n", counted(fresh_, "pass", "passes"));
    if (too_large_ > 0) {
      fmt::print("left out: {} of a GPU's sizes, which the CPU backend does not repeat\n", counted(too_large_, "case"));
    }
  }

  // Contents follow from the key, which who made the run knew, and may have chosen: a pass has to be one with another key too.
  void judge_with_fresh_contents(EvaluatorOptions options, const std::vector<ProblemPlan>& plans, EvaluatorSink sink,
                                 const std::map<std::string, const Evaluation*>& then) {
    options.key = RunKey::draw();
    options.timing = false;
    sink.group = [&](const std::vector<Evaluation>& group) {
      for (const Evaluation& now : group) {
        const auto found = then.find(now.group + " " + now.origin + " " + now.candidate);
        if (now.verdict == Verdict::skipped || found == then.end() || !passed_again_.contains(found->first)) {
          continue;
        }
        ++fresh_;
        if (info(now.verdict).failure) {
          fault(fmt::format("{} {} {}", found->second->id, now.case_name, now.origin),
                fmt::format("passed with the contents of the run's key; with others, {}{}{}", to_string(now.verdict), now.detail.empty() ? "" : ": ",
                            now.detail));
        }
      }
    };
    Evaluator(std::move(options)).run(plans, sink);
    progress_.clear();
  }

  void not_repeated(const Evaluation& then, const std::string& why) {
    ++not_repeated_;
    if (options_.verbose) {
      progress_.clear();
      fmt::print("  not repeated   {} {} {}: {}\n", then.id, then.case_name, then.origin, why);
    }
  }

  void compare(const Evaluation& then, const Evaluation& now) {
    const auto reference = std::find_if(stored_.evaluations.begin(), stored_.evaluations.end(),
                                        [&](const Evaluation& each) { return each.group == then.group && each.origin == "reference"; });
    const Repetition verdict = compare_verdicts(then, now, reference == stored_.evaluations.end() ? nullptr : &*reference);
    tell(then, verdict, verdicts_);
    if (verdict.outcome == Repetition::Outcome::holds && then.timing && !then.timing->speedups.empty()) {
      tell(then, compare_speedups(then, now), speedups_);
    }
  }

  void tell(const Evaluation& then, const Repetition& repetition, int& held) {
    const std::string where = fmt::format("{} {} {}", then.id, then.case_name, then.origin);
    switch (repetition.outcome) {
      case Repetition::Outcome::differs:
        fault(where, repetition.text);
        break;
      case Repetition::Outcome::not_repeated:
        not_repeated(then, repetition.text);
        break;
      case Repetition::Outcome::holds:
        ++held;
        if (options_.verbose) {
          progress_.clear();
          fmt::print("  holds          {}: {}\n", where, repetition.text.empty() ? to_string(then.verdict) : repetition.text);
        }
        break;
    }
  }

  const Options& options_;
  const std::filesystem::path home_;
  const StoredRun stored_;
  const std::vector<Task> tasks_;
  const std::vector<BaselineLibrary> libraries_;
  RecordAudit records_;
  Progress progress_;
  std::set<std::string> passed_again_;  // by group, origin and candidate
  int faults_ = 0, verdicts_ = 0, speedups_ = 0, not_repeated_ = 0, fresh_ = 0;
  std::size_t repeated_cases_ = 0, selected_ = 0, too_large_ = 0;
};

}  // namespace

void add_audit(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("audit", "Judge somebody's run again from its records and sources, and say what does not hold.");
  command->add_option("run", options->run, "Directory of the run.")->required();
  command->add_option("--task", options->tasks, "Repeat these alone: by name, glob, scenario or family; repeatable.");
  command->add_option("--cases", options->cases, "Repeat this many cases, drawn at random. Default: all.")->check(positive_number());
  options->device.add(*command);
  command->add_flag("--records-only", options->records_only, "Repeat nothing: look at the records and the sources; needs no device.");
  command->add_flag("--no-timing", options->no_timing, "Verdicts only.");
  command->add_option("--jobs", options->jobs, "Builds in parallel. Default: the number of cores.")->check(CLI::Range(1, 256));
  command->add_flag("--no-sandbox", options->no_sandbox, "Run candidates without a sandbox.");
  command->add_flag("--verbose", options->verbose, "Also what holds, and what could not be repeated and why.");
  command->callback([options, &context] { context.exit_code = Audit(*options).run(); });
}

}  // namespace mskb::cli
