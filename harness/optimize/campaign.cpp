#include "optimize/campaign.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/hashing.hpp"
#include "evaluate/closing_figures.hpp"
#include "model/command.hpp"
#include "model/task_file.hpp"
#include "optimize/lead_sessions.hpp"
#include "optimize/optimizer_check.hpp"
#include "optimize/session_evaluation.hpp"
#include "store/run_reader.hpp"
#include "store/run_writer.hpp"
#include "store/same_run.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

class Campaign {
 public:
  explicit Campaign(const OptimizeOptions& options) : options_(options) {}

  CampaignResult lead();

 private:
  RunWriter open_run();
  bool is_asked_for(const std::string& problem) const;
  void tell_what_waits(const CampaignResult& result) const;
  ProblemPlan final_plan(const Problem& problem, const SessionOutcome& outcome) const;
  void measure(RunWriter& run, const CampaignResult& result);

  const OptimizeOptions& options_;
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

bool Campaign::is_asked_for(const std::string& problem) const {
  return std::any_of(options_.problems.begin(), options_.problems.end(), [&](const Problem& each) { return each.name() == problem; });
}

// Without a key: the optimizer may be able to read what lies in the run's directory.
RunWriter Campaign::open_run() {
  if (options_.resume) {
    std::error_code error;
    RunWriter run = RunWriter::resume(options_.out);
    const Run& then = run.run();
    Run now = options_.head;
    now.environment = options_.off_device ? then.environment : options_.open(RunKey::draw(), then.id)->environment();
    if (options_.off_device) {
      now.protocol = then.protocol;
      now.sandbox = then.sandbox;
    }
    now.figures["planned_problems"] = std::to_string(options_.problems.size());
    require_same_head(options_.out, then, now);
    if (const std::string of_then = option_of(then.command, "--optimizer"), of_now = option_of(now.command, "--optimizer"); of_then != of_now) {
      refuse_resume(options_.out, fmt::format("is of optimizer '{}', this one of '{}'", of_then, of_now));
    }
    for (const auto& entry : fs::recursive_directory_iterator(options_.out / "transcripts", error)) {
      const std::string problem = entry.path().lexically_relative(options_.out / "transcripts").replace_extension().generic_string();
      if (entry.path().extension() == ".jsonl" && !is_asked_for(problem)) {
        refuse_resume(options_.out, "holds a session of " + problem + ", which this one does not ask for");
      }
    }
    return run;
  }
  Run head = options_.head;
  head.id = new_id();
  head.figures["planned_problems"] = std::to_string(options_.problems.size());
  head.environment = options_.open(RunKey::draw(), head.id)->environment();
  return RunWriter::create(options_.out, head);
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
      run.keep_log(fmt::format("{}-{}.log", candidate.id(), to_string(problem.precision)), without_paths(read_file(build.log), options_.shown_as));
    }
  };
  bool measured = false;
  const bool complete = run.run().figures.contains("wall_s");
  sink.group = [&](std::vector<Evaluation> group) {
    measured = true;
    Evaluation& last = group.back();
    const SessionOutcome& outcome = result.sessions.at(last.task + "/" + last.precision);
    if (!outcome.submitted && last.verdict == Verdict::build_failed) {
      last.detail = fmt::format("nothing was submitted ({}): {}", to_string(outcome.ending), outcome.detail);
    }
    run.append(group);
  };
  std::map<std::string, std::string> submitted;
  for (const ProblemPlan& plan : plans) {
    submitted[plan.problem.name()] = plan.candidates.back().id();
  }
  Hasher all;
  for (const auto& [problem, candidate] : submitted) {
    all.add(problem).add(candidate);
  }
  const std::string submissions = all.hex(16);
  const auto then = run.run().figures.find("submissions");
  if (run.run().key.empty()) {
    run.give_key(RunKey::draw().hex, submissions);
  } else if (then != run.run().figures.end() && then->second != submissions) {
    refuse_resume(options_.out, "has other submissions than when its final measurement began, and its key can be read since");
  }
  const auto measurer = options_.open(RunKey::parse(run.run().key), run.run().id);
  measurer->run(plans, sink);
  if (!measured && complete) {
    return;  // it keeps its figures
  }
  std::map<std::string, std::string> figures = measurer->figures();
  figures.merge(closing_figures(read_run(options_.out).evaluations));
  std::map<std::string, int> endings;
  for (const auto& [problem, outcome] : result.sessions) {
    ++endings[to_string(outcome.ending)];
  }
  for (const auto& [ending, count] : endings) {
    figures["sessions_" + ending] = std::to_string(count);
  }
  run.finish(figures);
}

void Campaign::tell_what_waits(const CampaignResult& result) const {
  const fs::path file = options_.out / "waiting.json";
  if (result.suspended == 0) {
    fs::remove(file);
    return;
  }
  Json list = Json::array();
  for (const auto& [problem, outcome] : result.sessions) {
    if (outcome.ending == SessionEnding::suspended) {
      list.push_back({{"problem", problem}, {"awaits", outcome.awaits}, {"reason", outcome.detail}});
    }
  }
  write_file_atomically(file, list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

CampaignResult Campaign::lead() {
  if (!options_.budget.wall_s) {
    throw std::logic_error("a campaign whose sessions have no limit of wall time");
  }
  profile_kind(options_);  // refuses unknown options before anything is made
  check_optimizer(options_);
  RunWriter run = open_run();
  CampaignResult result;
  result.sessions = lead_sessions(options_, run.run());
  for (const auto& [problem, outcome] : result.sessions) {
    result.suspended += outcome.ending == SessionEnding::suspended;
  }
  tell_what_waits(result);
  result.measured = result.suspended == 0 && !options_.off_device;
  if (result.measured) {
    measure(run, result);
  }
  return result;
}

}  // namespace

CampaignResult run_optimize(const OptimizeOptions& options) { return Campaign(options).lead(); }

}  // namespace mskb
