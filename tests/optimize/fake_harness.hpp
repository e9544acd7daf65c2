#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "model/task_file.hpp"
#include "optimize/campaign.hpp"
#include "optimize/optimizer_process.hpp"
#include "optimize/session.hpp"

namespace mskb::test {

// The problem that sessions of these tests are about.
inline const Task& silu() {
  static const Task task = load_task(std::filesystem::path(MSKB_SOURCE_DIR) / "tasks/silu_and_mul");
  return task;
}
inline Problem silu_fp32() { return {&silu(), Precision::fp32}; }

// Verdicts by what the source says: "broken" does not build, "wrong" is a mismatch, all else passes, twice as fast as the reference if it says "fast".
inline Verdict fake_verdict(const Candidate& candidate) {
  const std::string& text = candidate.sources.at(candidate.main_source);
  return text.find("broken") != std::string::npos  ? Verdict::build_failed
         : text.find("wrong") != std::string::npos ? Verdict::mismatch
                                                   : Verdict::passed;
}

inline Evaluation fake_evaluation(const Case& test_case, const Candidate& candidate, Verdict verdict, bool timed) {
  Evaluation evaluation;
  evaluation.task = test_case.problem.task->name;
  evaluation.precision = to_string(test_case.problem.precision);
  evaluation.case_name = test_case.name();
  evaluation.set = test_case.set;
  evaluation.size = test_case.size_text();
  evaluation.weight = test_case.weight;
  evaluation.candidate = candidate.id();
  evaluation.origin = candidate.origin;
  evaluation.verdict = verdict;
  evaluation.detail = verdict == Verdict::passed ? "" : "out[3]: got 0, want 0.25";
  evaluation.wall_s = 0.5;
  evaluation.errors = {{.output = "out", .checked = 8, .refused = verdict == Verdict::mismatch ? 8u : 0u}};
  if (timed && verdict == Verdict::passed) {
    const bool fast = candidate.sources.at(candidate.main_source).find("fast") != std::string::npos;
    Timing timing;
    timing.protocol = "strict";
    timing.clocks["span"].median = fast ? 5 : 10;
    timing.speedups["span"] = {fast ? 2.0 : 1.0, fast ? 1.98 : 0.99, fast ? 2.02 : 1.01, 8, true, fast ? "faster" : "same"};
    evaluation.timing = timing;
  }
  return evaluation;
}

inline CandidateReport fake_report(const Candidate& candidate, const std::vector<std::string>& sets, bool timed = false) {
  CandidateReport report;
  report.id = candidate.id();
  const Verdict verdict = fake_verdict(candidate);
  if (verdict == Verdict::build_failed) {
    report.build = verdict;
    report.build_detail = candidate.main_source + ":1: error: broken";
    report.build_log = "a log\n";
  }
  for (const std::string& set : sets) {
    for (const Case& each : make_cases(silu_fp32(), set)) {
      report.cases.push_back(fake_evaluation(each, candidate, verdict, timed));
      report.references.push_back(fake_evaluation(each, reference_candidate(silu_fp32()), Verdict::passed, timed));
      report.device_s += 0.5;
    }
  }
  return report;
}

// A session with an optimizer process over a harness that looks only at the text of a candidate.
class FakeSession {
 public:
  FakeSession() {
    plan.optimizer = "test";
    plan.problem = "silu_and_mul/fp32";
    plan.sets = size_sets(silu_fp32());
    plan.budget = {10, {}, {}, {}, 60};
    plan.evaluate = [this](const Candidate& candidate, const std::vector<std::string>& sets) {
      origins.push_back(candidate.origin);
      return fake_report(candidate, sets, timed);
    };
  }

  // For an optimizer that is meant to be given up.
  void lose_patience() {
    plan.limits.after_stop = std::chrono::milliseconds(200);
    plan.limits.reading = std::chrono::milliseconds(200);
    plan.limits.leaving = std::chrono::milliseconds(50);
  }

  SessionOutcome run(const std::vector<std::string>& command) {
    StartFacts facts;
    facts.problem = silu_fp32();
    facts.reference = reference_candidate(facts.problem);
    facts.environment.backend = timed ? "cuda" : "cpu";
    facts.environment.device = "fake";
    facts.clock = timed ? "span" : "";
    facts.protocol = "strict";
    facts.budget = plan.budget;
    facts.options = options;
    plan.start = start_message(facts);
    StoredTranscript stored;
    if (resume) {
      stored = this->transcript();
    }
    Transcript transcript = resume ? Transcript::go_on(transcript_file(), stored)
                                   : Transcript(transcript_file(), {{"run", "r"}, {"problem", plan.problem}, {"optimizer", plan.optimizer}});
    OptimizerProcess process(command, environment, folder.path() / "optimizer.log", process_limits);
    return run_session(process, plan, transcript, std::move(stored));
  }
  SessionOutcome python(const std::string& code) { return run({"python3", "-u", "-c", code}); }

  std::filesystem::path transcript_file() const { return folder.path() / "transcripts/silu_and_mul/fp32.jsonl"; }
  StoredTranscript transcript() const { return read_transcript(transcript_file()); }
  // Messages of one side, of one type.
  std::vector<Json> messages(bool from_harness, const std::string& type) const {
    std::vector<Json> found;
    for (const TranscriptLine& line : transcript().lines) {
      if (line.from_harness == from_harness && line.message.is_object() && line.message.at("type") == type) {
        found.push_back(line.message);
      }
    }
    return found;
  }

  TemporaryDirectory folder;
  SessionPlan plan;
  ProcessLimits process_limits;
  std::map<std::string, std::string> options, environment;
  std::vector<std::string> origins;
  bool timed = false, resume = false;
};

}  // namespace mskb::test
