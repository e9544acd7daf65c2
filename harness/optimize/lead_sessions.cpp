#include "optimize/lead_sessions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "model/task_file.hpp"
#include "optimize/device_queue.hpp"
#include "optimize/optimizer_process.hpp"
#include "optimize/session_evaluation.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

class Sessions {
 public:
  Sessions(const OptimizeOptions& options, const Run& run)
      : options_(options), run_(run), key_(RunKey::draw()),
        device_([this] { return (options_.open_for_sessions ? options_.open_for_sessions : options_.open)(key_, drawn_id()); }),
        screen_([this] { return options_.open_screen(key_, drawn_id()); }) {
    profiles_ = options.profiles;
    profiles_.kind = profile_kind(options);
  }

  std::map<std::string, SessionOutcome> lead();

 private:
  void lead_next();
  SessionOutcome lead(const Problem& problem);
  SessionOutcome ask(const Problem& problem, const fs::path& file, std::optional<StoredTranscript> stored);
  SessionOutcome without_process(const Problem& problem) const;
  std::optional<StoredTranscript> recorded(const Problem& problem, const fs::path& file) const;
  SessionPlan plan_for(const Problem& problem, const Candidate& reference);
  CandidateReport evaluate(const Problem& problem, const Candidate& reference, const Candidate& candidate, const std::vector<std::string>& sets);
  std::optional<CandidateReport> screened(const Problem& problem, const Candidate& reference, const Candidate& candidate);
  static std::string drawn_id() { return RunKey::draw().hex.substr(0, 12); }
  void go_on() const;
  void progress(const std::string& text);
  void notice(const std::string& text);
  void find_unused_options(const StoredTranscript& ended);

  const OptimizeOptions& options_;
  const Run& run_;
  const RunKey key_;  // of all contents of these sessions
  SessionProfiles profiles_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::map<std::string, SessionOutcome> outcomes_;
  std::set<std::string> accepted_;  // by the screen
  std::set<std::string> unused_options_;  // "name=value": given now, and not what sessions that had ended were led with
  std::size_t had_ended_ = 0;
  int suspended_ = 0;
  std::exception_ptr failure_;
  DeviceQueue device_, screen_;
};

// Another session's failure of the harness ends this one too.
void Sessions::go_on() const {
  if (failed_) {
    throw HarnessError("another session could not go on");
  }
}

void Sessions::progress(const std::string& text) {
  const std::lock_guard hold(mutex_);
  const std::size_t ended = outcomes_.size() - static_cast<std::size_t>(suspended_);
  options_.progress(fmt::format("{} of {} sessions ended{}; {}", ended, options_.problems.size(),
                                suspended_ > 0 ? fmt::format(", {} wait", suspended_) : "", text));
}

void Sessions::notice(const std::string& text) {
  const std::lock_guard hold(mutex_);
  options_.notice(text);
}

void Sessions::find_unused_options(const StoredTranscript& ended) {
  const std::lock_guard hold(mutex_);
  ++had_ended_;
  const Json then = ended.lines.empty() ? Json() : ended.lines.front().message.value("options", Json());
  for (const auto& [name, value] : options_.optimizer_options) {
    if (!then.is_object() || then.value(name, Json()) != Json(value)) {
      unused_options_.insert(name + "=" + value);
    }
  }
}

SessionOutcome Sessions::without_process(const Problem& problem) const {
  SessionOutcome outcome;
  outcome.submitted = solution(options_.optimizer, problem);
  outcome.ending = outcome.submitted ? SessionEnding::submitted : SessionEnding::nothing_submitted;
  outcome.detail = outcome.submitted ? "" : "its folder has no file for this problem";
  return outcome;
}

// Nothing where there is no transcript, or one that was cut off before its first line was whole.
std::optional<StoredTranscript> Sessions::recorded(const Problem& problem, const fs::path& file) const {
  if (!fs::exists(file) || read_file(file).find('\n') == std::string::npos) {
    return std::nullopt;
  }
  StoredTranscript stored = read_transcript(file);
  if (stored.head.value("optimizer", "") != options_.optimizer.name || stored.head.value("problem", "") != problem.name()) {
    throw InputError(fmt::format("{}: is a session of {} with {}; go on with the optimizer that began, or choose another --out", file.string(),
                                 stored.head.value("problem", "?"), stored.head.value("optimizer", "?")));
  }
  return stored;
}

// Each candidate once.
std::optional<CandidateReport> Sessions::screened(const Problem& problem, const Candidate& reference, const Candidate& candidate) {
  const std::string name = problem.name() + " " + candidate.id();
  {
    const std::lock_guard hold(mutex_);
    if (accepted_.contains(name)) {
      return std::nullopt;
    }
  }
  std::optional<CandidateReport> refused;
  screen_.run([&](Measurer& cpu) { refused = screen(cpu, problem, reference, candidate, options_.shown_as); });
  if (!refused) {
    const std::lock_guard hold(mutex_);
    accepted_.insert(name);
  }
  return refused;
}

// What the compiler or the CPU backend refuses needs no device.
CandidateReport Sessions::evaluate(const Problem& problem, const Candidate& reference, const Candidate& candidate,
                                   const std::vector<std::string>& sets) {
  go_on();
  std::optional<BuildResult> build;
  try {
    build = options_.build_ahead(run_.environment, problem, candidate);
  } catch (const InputError&) {
    if (!options_.off_device) {
      throw;
    }
  }
  if (options_.off_device && build && build->verdict == Verdict::build_failed) {
    return report_of(*build, options_.shown_as);
  }
  if (options_.open_screen && !(build && info(build->verdict).failure)) {
    if (std::optional<CandidateReport> refused = screened(problem, reference, candidate)) {
      return std::move(*refused);
    }
  }
  if (options_.off_device) {
    throw EvaluationAwaited("an evaluation awaits the device");
  }
  CandidateReport report;
  device_.run([&](Measurer& measurer) {
    go_on();
    report = evaluate_for_session(measurer, problem, reference, candidate, sets, options_.shown_as);
  });
  return report;
}

SessionPlan Sessions::plan_for(const Problem& problem, const Candidate& reference) {
  StartFacts facts;
  facts.problem = problem;
  facts.reference = reference;
  facts.environment = run_.environment;
  facts.protocol = options_.protocol;
  facts.clock = options_.clock;
  facts.budget = options_.budget;
  facts.options = options_.optimizer.with_options(options_.optimizer_options);

  SessionPlan plan;
  plan.optimizer = options_.optimizer.name;
  plan.problem = problem.name();
  plan.run_folder = fs::absolute(options_.out / "run.yaml").lexically_normal().parent_path();
  plan.start = start_message(facts);
  plan.sets = size_sets(problem);
  plan.budget = options_.budget;
  plan.limits = options_.limits;
  plan.key = key_.hex;
  plan.progress = [this](const std::string& text) { progress(text); };
  plan.notice = [this](const std::string& text) { notice(text); };
  plan.evaluate = [this, &problem, &reference](const Candidate& candidate, const std::vector<std::string>& sets) {
    return evaluate(problem, reference, candidate, sets);
  };
  plan.profile = [this, &problem](const Candidate& candidate, CandidateReport& report) {
    if (overall_verdict(report) != Verdict::passed) {
      add_profile(report, problem, candidate, profiles_);  // says why there is none
      return;
    }
    device_.run([&](Measurer&) {
      go_on();
      add_profile(report, problem, candidate, profiles_);
    });
  };
  return plan;
}

SessionOutcome Sessions::ask(const Problem& problem, const fs::path& file, std::optional<StoredTranscript> stored) {
  const Candidate reference = reference_candidate(problem);
  const SessionPlan plan = plan_for(problem, reference);
  Transcript transcript = stored ? Transcript::go_on(file, *stored)
                                 : Transcript(file, {{"run", run_.id}, {"problem", problem.name()}, {"optimizer", options_.optimizer.name}});
  if (options_.connect) {
    return run_session(options_.connect(problem), plan, transcript, std::move(stored).value_or(StoredTranscript()));
  }
  const auto environment = session_environment(options_, problem);
  fs::create_directories(environment.at("MSKB_SESSION_DIR"));
  OptimizerProcess process(options_.optimizer.command, environment, fs::path(file).replace_extension(".log"));
  return run_session(process, plan, transcript, std::move(stored).value_or(StoredTranscript()));
}

SessionOutcome Sessions::lead(const Problem& problem) {
  if (options_.optimizer.kind != OptimizerKind::program) {
    return without_process(problem);
  }
  const fs::path file = options_.out / "transcripts" / (problem.name() + ".jsonl");
  const bool on_record = fs::exists(file);
  try {
    std::optional<StoredTranscript> stored = recorded(problem, file);
    if (stored && stored->end) {
      find_unused_options(*stored);
      return outcome_from_json(*stored->end);
    }
    if (!run_.key.empty()) {
      throw InputError(fmt::format("{}: its session has not ended, but the final measurement has begun, and its key stands in run.yaml for everybody to read; "
                                   "begin another campaign with another --out", file.string()));
    }
    return ask(problem, file, std::move(stored));
  } catch (const Json::exception& error) {
    if (!on_record) {
      throw;
    }
    throw InputError(fmt::format("{}: holds what this program does not write ({}); move it aside to begin the session again", file.string(), error.what()));
  }
}

void Sessions::lead_next() {
  while (!failed_) {
    const std::size_t number = next_++;
    if (number >= options_.problems.size()) {
      return;
    }
    const Problem& problem = options_.problems[number];
    try {
      SessionOutcome outcome = lead(problem);
      std::string text = fmt::format("{}: {}", problem.name(), to_string(outcome.ending));
      {
        const std::lock_guard hold(mutex_);
        suspended_ += outcome.ending == SessionEnding::suspended;
        outcomes_[problem.name()] = std::move(outcome);
      }
      progress(text);
    } catch (...) {
      const std::lock_guard hold(mutex_);
      if (!failed_.exchange(true)) {
        failure_ = std::current_exception();
      }
    }
  }
}

std::map<std::string, SessionOutcome> Sessions::lead() {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < std::max(1, options_.sessions); ++i) {
      threads.emplace_back([this] { lead_next(); });
    }
  }
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  if (!unused_options_.empty()) {
    notice(fmt::format("{} of {} sessions had ended before, {}; --option {} is not what they were led with and was not used there", had_ended_,
                       options_.problems.size(), had_ended_ == options_.problems.size() ? "the run is finished" : "they are not led again",
                       fmt::join(unused_options_, ", ")));
  }
  return std::move(outcomes_);
}

}  // namespace

std::map<std::string, std::string> session_environment(const OptimizeOptions& options, const Problem& problem) {
  return {{"MSKB_OPTIMIZER_DIR", fs::absolute(options.optimizer.directory).lexically_normal().string()},
          {"MSKB_SESSION_DIR", fs::absolute(options.out / "sessions" / problem.name()).lexically_normal().string()}};
}

ProfileKind profile_kind(const OptimizeOptions& options) {
  const auto words = options.optimizer.with_options(options.optimizer_options);
  const auto found = words.find("profile");
  return found == words.end() ? options.profiles.kind : parse_profile_kind(found->second, "option profile");
}

std::map<std::string, SessionOutcome> lead_sessions(const OptimizeOptions& options, const Run& run) { return Sessions(options, run).lead(); }

}  // namespace mskb
