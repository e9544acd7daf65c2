#include "optimize/campaign.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "model/task_file.hpp"
#include "optimize/optimizer_process.hpp"
#include "optimize/session_evaluation.hpp"
#include "store/run_writer.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

class Campaign {
 public:
  explicit Campaign(const OptimizeOptions& options) : options_(options) {}

  CampaignResult lead();

 private:
  RunWriter open_run();
  ProfileKind profile_kind() const;
  SessionOutcome session(const Problem& problem);
  SessionOutcome ask_process(const Problem& problem, const fs::path& transcript);
  SessionOutcome without_process(const Problem& problem) const;
  ProblemPlan final_plan(const Problem& problem, const SessionOutcome& outcome) const;
  void measure(RunWriter& run, const CampaignResult& result);

  const OptimizeOptions& options_;
  std::string run_id_;
};

std::string new_id() { return RunKey::draw().hex.substr(0, 12); }

// What stands for a problem without a submission.
Candidate no_candidate(const std::string& optimizer) {
  Candidate candidate;
  candidate.origin = fmt::format("optimizer:{}#0", optimizer);
  candidate.main_source = "none.cu";
  candidate.sources["none.cu"] = "// nothing was submitted\n";
  return candidate;
}

// The devices of a run are all of one name, and the run's key is used by one evaluator at a time.
RunWriter Campaign::open_run() {
  if (options_.resume) {
    RunWriter run = RunWriter::resume(options_.out);
    const auto measurer = options_.open(RunKey::parse(run.run().key), run.run().id);
    if (measurer->environment().device != run.run().environment.device) {
      throw InputError(fmt::format("--resume: the run in {} was made on {}, this is {}; start a new run", options_.out.string(),
                                   run.run().environment.device, measurer->environment().device));
    }
    return run;
  }
  Run head = options_.head;
  head.id = new_id();
  const RunKey key = RunKey::draw();
  head.key = key.hex;
  head.environment = options_.open(key, head.id)->environment();
  return RunWriter::create(options_.out, head);
}

// The optimizer's option `profile` where it has one.
ProfileKind Campaign::profile_kind() const {
  const auto options = options_.optimizer.with_options(options_.optimizer_options);
  const auto found = options.find("profile");
  return found == options.end() ? options_.profiles.kind : parse_profile_kind(found->second, "option profile");
}

SessionOutcome Campaign::without_process(const Problem& problem) const {
  SessionOutcome outcome;
  outcome.submitted = solution(options_.optimizer, problem);
  outcome.ending = outcome.submitted ? SessionEnding::submitted : SessionEnding::nothing_submitted;
  outcome.detail = outcome.submitted ? "" : "its folder has no file for this problem";
  return outcome;
}

SessionOutcome Campaign::ask_process(const Problem& problem, const fs::path& file) {
  const RunKey key = RunKey::draw();
  const auto measurer = options_.open(key, new_id());
  const Candidate reference = reference_candidate(problem);

  StartFacts facts;
  facts.problem = problem;
  facts.reference = reference;
  facts.environment = measurer->environment();
  facts.protocol = options_.protocol;
  facts.clock = options_.clock;
  facts.budget = options_.budget;
  facts.options = options_.optimizer.with_options(options_.optimizer_options);

  SessionPlan plan;
  plan.optimizer = options_.optimizer.name;
  plan.problem = problem.name();
  plan.start = start_message(facts);
  plan.sets = size_sets(problem);
  plan.budget = options_.budget;
  plan.limits = options_.limits;
  plan.key = key.hex;
  plan.progress = options_.progress;
  plan.evaluate = [&](const Candidate& candidate, const std::vector<std::string>& sets) {
    return evaluate_for_session(*measurer, problem, reference, candidate, sets, options_.shown_as);
  };
  SessionProfiles profiles = options_.profiles;
  profiles.kind = profile_kind();
  plan.profile = [&](const Candidate& candidate, CandidateReport& report) { add_profile(report, problem, candidate, profiles); };
  Transcript transcript(file, {{"run", run_id_}, {"problem", problem.name()}, {"optimizer", options_.optimizer.name}});
  OptimizerProcess process(options_.optimizer.command,
                           {{"MSKB_OPTIMIZER_DIR", fs::absolute(options_.optimizer.directory).lexically_normal().string()}},
                           fs::path(file).replace_extension(".log"));
  return run_session(process, plan, transcript);
}

SessionOutcome Campaign::session(const Problem& problem) {
  if (options_.optimizer.kind != OptimizerKind::program) {
    return without_process(problem);
  }
  const fs::path transcript = options_.out / "transcripts" / (problem.name() + ".jsonl");
  if (fs::exists(transcript)) {
    if (const auto end = read_transcript(transcript).end) {
      return outcome_from_json(*end);
    }
  }
  return ask_process(problem, transcript);
}

ProblemPlan Campaign::final_plan(const Problem& problem, const SessionOutcome& outcome) const {
  ProblemPlan plan;
  plan.problem = problem;
  plan.sets = options_.sets;
  plan.candidates.push_back(reference_candidate(problem));
  if (const auto found = options_.baselines.find(problem.name()); found != options_.baselines.end()) {
    plan.candidates.insert(plan.candidates.end(), found->second.begin(), found->second.end());
  }
  plan.candidates.push_back(outcome.submitted.value_or(no_candidate(options_.optimizer.name)));
  return plan;
}

void Campaign::measure(RunWriter& run, const CampaignResult& result) {
  std::vector<ProblemPlan> plans;
  for (const Problem& problem : options_.problems) {
    plans.push_back(final_plan(problem, result.sessions.at(problem.name())));
  }
  EvaluatorSink sink;
  sink.progress = options_.progress;
  sink.has_group = [&](const std::string& group) { return run.has_group(group); };
  sink.built = [&](const Problem& problem, const Candidate& candidate, const BuildResult& build) {
    run.keep_candidate(candidate);
    if (fs::exists(build.log)) {
      run.keep_log(fmt::format("{}-{}.log", candidate.id(), to_string(problem.precision)), read_file(build.log));
    }
  };
  sink.group = [&](std::vector<Evaluation> group) {
    Evaluation& last = group.back();
    const SessionOutcome& outcome = result.sessions.at(last.task + "/" + last.precision);
    if (!outcome.submitted && last.verdict == Verdict::build_failed) {
      last.detail = fmt::format("nothing was submitted ({}): {}", to_string(outcome.ending), outcome.detail);
    }
    run.append(group);
  };
  const auto measurer = options_.open(RunKey::parse(run.run().key), run.run().id);
  measurer->run(plans, sink);
  std::map<std::string, std::string> figures = measurer->figures();
  std::map<std::string, int> endings;
  for (const auto& [problem, outcome] : result.sessions) {
    ++endings[to_string(outcome.ending)];
  }
  for (const auto& [ending, count] : endings) {
    figures["sessions_" + ending] = std::to_string(count);
  }
  run.finish(figures);
}

CampaignResult Campaign::lead() {
  if (!options_.budget.wall_s) {
    throw std::logic_error("a campaign whose sessions have no limit of wall time");
  }
  profile_kind();  // refuses unknown options before anything is made
  RunWriter run = open_run();
  run_id_ = run.run().id;
  CampaignResult result;
  for (const Problem& problem : options_.problems) {
    result.sessions[problem.name()] = session(problem);
  }
  measure(run, result);
  return result;
}

}  // namespace

CampaignResult run_optimize(const OptimizeOptions& options) { return Campaign(options).lead(); }

}  // namespace mskb
