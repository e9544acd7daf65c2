#include "optimize/campaign.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>

#include "base/errors.hpp"
#include "fake_harness.hpp"
#include "store/run_reader.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

// What the fake evaluators of one campaign were asked.
struct Log {
  std::vector<std::string> keys;                       // of each evaluator, in order of opening
  std::vector<std::pair<std::string, std::string>> evaluated;  // key, origin of the last candidate
  int open = 0, most_open = 0;
  std::atomic<int> running = 0, most_running = 0;
  std::string wrong = "wrong";                         // what a candidate says that is
  int fail_after = -1;                                 // groups until the harness fails; -1: never
};

class FakeMeasurer : public Measurer {
 public:
  FakeMeasurer(Log& log, RunKey key, std::string run_id) : log_(log), key_(std::move(key)), run_id_(std::move(run_id)) {
    log_.keys.push_back(key_.hex);
    log_.most_open = std::max(log_.most_open, ++log_.open);
    environment_.backend = "cpu";
    environment_.device = "fake";
    environment_.compiler = "fake";
  }
  ~FakeMeasurer() override { --log_.open; }
  const Environment& environment() const override { return environment_; }
  std::map<std::string, std::string> figures() const override { return {{"wall_s", "1.0"}}; }
  void run(const std::vector<ProblemPlan>& plans, const EvaluatorSink& sink) override {
    log_.most_running = std::max(log_.most_running.load(), ++log_.running);
    struct Leaving {
      Log& log;
      ~Leaving() { --log.running; }
    } leaving{log_};
    for (const ProblemPlan& plan : plans) {
      log_.evaluated.emplace_back(key_.hex, plan.candidates.back().origin);
      for (const Candidate& candidate : plan.candidates) {
        BuildResult build;
        build.verdict = fake_build(candidate);
        sink.built(plan.problem, candidate, build);
      }
      for (const std::string& set : plan.sets) {
        for (const Case& each : make_cases(plan.problem, set)) {
          measure(plan, each, sink);
        }
      }
    }
  }

 private:
  static Verdict fake_build(const Candidate& candidate) {
    const bool empty = candidate.sources.begin()->second.find("nothing was submitted") != std::string::npos;
    return empty ? Verdict::build_failed : Verdict::passed;
  }
  Verdict verdict(const Candidate& candidate) const {
    return candidate.sources.at(candidate.main_source).find(log_.wrong) != std::string::npos ? Verdict::mismatch : Verdict::passed;
  }
  void measure(const ProblemPlan& plan, const Case& test_case, const EvaluatorSink& sink) {
    const std::string group = group_id(run_id_, test_case.name());
    if (sink.has_group(group)) {
      return;
    }
    if (log_.fail_after >= 0 && log_.fail_after-- == 0) {
      throw HarnessError("the keeper is lost");
    }
    std::vector<Evaluation> evaluations;
    for (const Candidate& candidate : plan.candidates) {
      const Verdict build = fake_build(candidate);
      Evaluation evaluation = test::fake_evaluation(
          test_case, candidate, build == Verdict::passed ? verdict(candidate) : build, false);
      evaluation.id = group + "-" + std::to_string(evaluations.size());
      evaluation.group = group;
      evaluation.group_size = static_cast<int>(plan.candidates.size());
      evaluation.backend = "cpu";
      evaluation.device = "fake";
      evaluation.key = key_.hex;
      evaluation.sandbox = "full";
      evaluations.push_back(evaluation);
    }
    sink.group(evaluations);
  }

  Log& log_;
  RunKey key_;
  std::string run_id_;
  Environment environment_;
};

class CampaignTest : public ::testing::Test {
 protected:
  CampaignTest() {
    options_.optimizer.name = "test";
    options_.optimizer.kind = OptimizerKind::program;
    options_.optimizer.directory = folder_.path();
    options_.problems = {{&test::silu(), Precision::fp32}, {&test::silu(), Precision::bf16}};
    options_.sets = {"smoke"};
    options_.budget = {5, {}, {}, {}, 60};
    options_.protocol = "strict";
    options_.out = folder_.path() / "run";
    options_.head.protocol = "verdicts";
    options_.head.sandbox = "full";
    options_.head.started = "2025-01-01T00:00:00Z";
    options_.open = [this](const RunKey& key, const std::string& run_id) -> std::unique_ptr<Measurer> {
      return std::make_unique<FakeMeasurer>(log_, key, run_id);
    };
  }
  void python(const std::string& body) {
    options_.optimizer.command = {"python3", "-u", "-c", R"(
import json, os, sys
def send(**message): print(json.dumps(message), flush=True)
def receive(): return json.loads(sys.stdin.readline())
def evaluate(text): send(type="evaluate", sources={"k.cu": text}); return receive()
start = receive()
)" + body};
  }
  std::vector<Evaluation> records() const {
    std::vector<Evaluation> found;
    for (const Evaluation& evaluation : read_run(options_.out).evaluations) {
      if (evaluation.origin != "reference") {
        found.push_back(evaluation);
      }
    }
    return found;
  }

  TemporaryDirectory folder_;
  Log log_;
  OptimizeOptions options_;
};

const char* two_attempts = R"(
evaluate("wrong " + start["precision"])
send(type="submit", id=evaluate("right " + start["precision"])["id"])
)";

TEST_F(CampaignTest, MeasuresEachSubmissionWithAKeyThatNoSessionSaw) {
  python(two_attempts);
  const CampaignResult result = run_optimize(options_);
  EXPECT_EQ(result.sessions.at("silu_and_mul/fp32").ending, SessionEnding::submitted);
  EXPECT_EQ(log_.most_open, 1) << "a device serves one evaluator at a time";
  const StoredRun run = read_run(options_.out);
  ASSERT_TRUE(run.valid());
  const auto records = this->records();
  ASSERT_EQ(records.size(), 4u);  // two smoke cases of two problems
  for (const Evaluation& evaluation : records) {
    EXPECT_EQ(evaluation.origin, "optimizer:test#2");
    EXPECT_EQ(evaluation.verdict, Verdict::passed);
    EXPECT_EQ(evaluation.key, run.run.key);
  }
  for (const auto& [key, origin] : log_.evaluated) {
    if (origin == "optimizer:test#1") {
      EXPECT_NE(key, run.run.key) << "a session's evaluation used the key of the record";
    }
  }
  const Candidate kept = read_candidate(options_.out, records[0].candidate);
  EXPECT_EQ(kept.sources.at("k.cu"), "right fp32");
  EXPECT_EQ(run.run.figures.at("sessions_submitted"), "2");
}

TEST_F(CampaignTest, TheKeyOfTheFinalMeasurementIsNowhereBeforeTheLastSubmission) {
  python("run = '" + (options_.out / "run.yaml").string() + "'\n" + R"(
key = [line for line in open(run) if line.startswith("key:")]
found = evaluate("right " + start["precision"] if key == ['key: ""\n'] else "wrong: " + str(key))
send(type="submit", id=found["id"])
)");
  run_optimize(options_);
  const StoredRun run = read_run(options_.out);
  EXPECT_EQ(run.run.key.size(), 32u);
  for (const Evaluation& evaluation : records()) {
    EXPECT_EQ(evaluation.verdict, Verdict::passed);
    EXPECT_EQ(evaluation.key, run.run.key);
  }
  options_.resume = true;
  run_optimize(options_);
  EXPECT_EQ(read_run(options_.out).run.key, run.run.key) << "drawn once";
}

TEST_F(CampaignTest, NoSessionGoesOnOnceTheKeyCanBeRead) {
  python(two_attempts);
  run_optimize(options_);
  options_.resume = true;
  const auto transcript = options_.out / "transcripts/silu_and_mul/fp32.jsonl";
  const std::string whole = read_file(transcript);
  const std::string without_end = whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1);
  for (const std::string& left : {without_end, std::string()}) {
    write_file_atomically(transcript, left);
    try {
      run_optimize(options_);
      FAIL() << "it went on";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("fp32.jsonl: its session has not ended, but the final measurement has begun"));
    }
  }
  write_file_atomically(transcript, whole);
  run_optimize(options_);
}

TEST_F(CampaignTest, AProblemWithoutSubmissionIsOnRecordWithTheReason) {
  python("if start['precision'] == 'fp32': sys.exit('no credit left')\n" + std::string(two_attempts));
  const CampaignResult result = run_optimize(options_);
  EXPECT_EQ(result.sessions.at("silu_and_mul/fp32").ending, SessionEnding::died);
  EXPECT_EQ(result.sessions.at("silu_and_mul/bf16").ending, SessionEnding::submitted) << "the others go on";
  const auto records = this->records();
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].verdict, Verdict::build_failed);
  EXPECT_EQ(records[0].origin, "optimizer:test#0");
  EXPECT_THAT(records[0].detail, HasSubstr("nothing was submitted (died): "));
  EXPECT_THAT(records[0].detail, HasSubstr("no credit left"));
  EXPECT_EQ(records[3].verdict, Verdict::passed);
}

TEST_F(CampaignTest, ResumeRepeatsNeitherSessionsNorRecords) {
  const auto asked = folder_.path() / "asked";
  python("open('" + asked.string() + "', 'a').write(start['precision'] + '\\n')\n" + two_attempts);
  log_.fail_after = 5;
  // Each session evaluates two candidates on two smoke cases; the first session alone makes four groups.
  EXPECT_THROW(run_optimize(options_), HarnessError);
  EXPECT_EQ(read_file(asked), "fp32\nbf16\n");
  EXPECT_EQ(log_.evaluated.size(), 3u);
  log_.fail_after = -1;
  options_.resume = true;
  run_optimize(options_);
  EXPECT_EQ(read_file(asked), "fp32\nbf16\nbf16\n") << "the session that was cut off is led again, the other is not";
  EXPECT_EQ(records().size(), 4u);
  EXPECT_EQ(log_.evaluated.size(), 3u + 2u + 2u) << "the evaluation that failed, the one after it, and two submissions";

  run_optimize(options_);
  EXPECT_EQ(read_file(asked), "fp32\nbf16\nbf16\n");
  EXPECT_EQ(records().size(), 4u);
}

TEST_F(CampaignTest, ResumeRefusesAnotherRunsCommand) {
  python(two_attempts);
  run_optimize(options_);
  options_.resume = true;
  const auto refusal = [&](OptimizeOptions changed) {
    try {
      run_optimize(changed);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  OptimizeOptions changed = options_;
  changed.head.sandbox = "none";
  EXPECT_THAT(refusal(changed), HasSubstr("has the sandbox"));
  changed = options_;
  changed.head.command = {"mskb", "optimize", "--optimizer", "another"};
  EXPECT_THAT(refusal(changed), HasSubstr("this one of 'another'"));
  changed = options_;
  changed.problems.pop_back();
  EXPECT_THAT(refusal(changed), HasSubstr("compares 2 problems, this one 1"));
  const std::string before = read_file(options_.out / "run.yaml");
  run_optimize(options_);
  EXPECT_EQ(read_file(options_.out / "run.yaml"), before) << "a complete run keeps its figures";
}

TEST_F(CampaignTest, ResumeGoesOnWithTheFinalMeasurement) {
  python(two_attempts);
  log_.fail_after = 9;  // eight groups in the sessions, then one on record
  EXPECT_THROW(run_optimize(options_), HarnessError);
  EXPECT_EQ(records().size(), 1u);
  log_.fail_after = -1;
  options_.resume = true;
  run_optimize(options_);
  EXPECT_EQ(records().size(), 4u);
}

// Two sessions, of which one waits for a file.
TEST_F(CampaignTest, WhileASessionIsSuspendedNothingIsMeasured) {
  const fs::path answer = folder_.path() / "answer";
  python("evaluate('wrong')\nif start['precision'] == 'fp32' and not os.path.exists('" + answer.string() + R"('):
    file = os.environ['MSKB_SESSION_DIR'] + "/0001.request.json"
    send(type="suspend", reason=file + ": no answer yet", awaits=file)
    sys.exit(0)
)" + std::string(two_attempts));
  options_.out /= "";  // a slash at the end
  for (int i = 0; i < 2; ++i) {
    const CampaignResult result = run_optimize(options_);
    EXPECT_EQ(result.suspended, 1);
    EXPECT_EQ(result.sessions.at("silu_and_mul/bf16").ending, SessionEnding::submitted);
    EXPECT_TRUE(records().empty());
    EXPECT_EQ(log_.evaluated.size(), 1u + 3u) << "nothing is evaluated twice";
    const Json waiting = Json::parse(read_file(options_.out / "waiting.json"));
    ASSERT_EQ(waiting.size(), 1u);
    EXPECT_EQ(waiting[0].at("problem"), "silu_and_mul/fp32");
    EXPECT_EQ(waiting[0].at("awaits"), "sessions/silu_and_mul/fp32/0001.request.json");
    EXPECT_EQ(waiting[0].at("reason"), "sessions/silu_and_mul/fp32/0001.request.json: no answer yet");
    EXPECT_THAT(read_file(options_.out / "transcripts/silu_and_mul/fp32.jsonl"), Not(HasSubstr(options_.out.string() + "/sessions")));
    options_.resume = true;
  }
  std::ofstream(answer) << "yes";
  const CampaignResult result = run_optimize(options_);
  EXPECT_EQ(result.suspended, 0);
  EXPECT_EQ(records().size(), 4u);
  EXPECT_FALSE(fs::exists(options_.out / "waiting.json"));
}

TEST_F(CampaignTest, SessionsAreLedAtOnceAndTheDeviceServesOneAtATime) {
  // Each waits for the other before it goes on.
  python("here = '" + folder_.path().string() + R"(/'
open(here + start["precision"], "w").close()
other = "bf16" if start["precision"] == "fp32" else "fp32"
for i in range(3000):
    if os.path.exists(here + other): break
    time.sleep(0.01)
else: sys.exit("the other session was not there")
)" + std::string(two_attempts));
  options_.optimizer.command[3] = "import time\n" + options_.optimizer.command[3];
  options_.sessions = 2;
  std::vector<std::string> lines;
  options_.progress = [&](const std::string& text) { lines.push_back(text); };
  const CampaignResult result = run_optimize(options_);
  for (const auto& [problem, outcome] : result.sessions) {
    EXPECT_EQ(outcome.ending, SessionEnding::submitted) << problem << ": " << outcome.detail;
  }
  EXPECT_EQ(log_.most_open, 1);
  EXPECT_EQ(log_.most_running, 1);
  EXPECT_EQ(records().size(), 4u);
  EXPECT_THAT(lines, ::testing::Contains(::testing::MatchesRegex(
                         "[01] of 2 sessions ended; silu_and_mul/bf16 test: evaluation 1 mismatch; 0 of 1 passed, [0-9]+ s left")));
}

TEST_F(CampaignTest, AFailureOfTheHarnessInOneSessionEndsAll) {
  python(two_attempts);
  options_.sessions = 2;
  log_.fail_after = 3;
  EXPECT_THROW(run_optimize(options_), HarnessError);
  log_.fail_after = -1;
  options_.resume = true;
  EXPECT_EQ(run_optimize(options_).sessions.size(), 2u);
  EXPECT_EQ(records().size(), 4u);
}

TEST_F(CampaignTest, WithoutItsDeviceARunGoesOnAsFarAsThatGoes) {
  const fs::path answer = folder_.path() / "answer";
  python("evaluate('wrong')\nif not os.path.exists('" + answer.string() + R"('): send(type="suspend", reason="no answer yet"); sys.exit(0)
assert evaluate("broken")["verdict"] == "build_failed"
first = evaluate("uncovered on the CPU")
if first["verdict"] != "passed":
    assert first["detail"].startswith("on the CPU backend: "), first
send(type="submit", id=evaluate("right")["id"])
)");
  EXPECT_EQ(run_optimize(options_).suspended, 2);
  const std::size_t evaluated = log_.evaluated.size();
  std::ofstream(answer) << "yes";
  options_.resume = options_.off_device = true;
  options_.build_ahead = [](const Environment& environment, const Problem&, const Candidate& candidate) {
    EXPECT_EQ(environment.device, "fake");
    BuildResult build;
    build.verdict = candidate.sources.begin()->second == "broken" ? Verdict::build_failed : Verdict::passed;
    return build;
  };
  Log screen;
  options_.open_screen = [&](const RunKey& key, const std::string& run_id) -> std::unique_ptr<Measurer> {
    screen.wrong = "uncovered";
    return std::make_unique<FakeMeasurer>(screen, key, run_id);
  };
  const CampaignResult off = run_optimize(options_);
  EXPECT_EQ(off.suspended, 2);
  EXPECT_FALSE(off.measured);
  for (const auto& [problem, outcome] : off.sessions) {
    EXPECT_EQ(outcome.detail, "an evaluation awaits the device");
    EXPECT_EQ(outcome.awaits, awaits_device);
    EXPECT_EQ(outcome.spending.evaluations, 3) << "the first, what does not compile, and what the CPU found wrong";
  }
  EXPECT_EQ(log_.evaluated.size(), evaluated) << "the device was not needed";
  EXPECT_EQ(screen.evaluated.size(), 4u);

  options_.off_device = false;
  EXPECT_TRUE(run_optimize(options_).measured);
  EXPECT_EQ(log_.evaluated.size(), evaluated + 2 + 2) << "the last candidate and the submission of each session";
  EXPECT_EQ(records().size(), 4u);
  options_.off_device = true;
  EXPECT_FALSE(run_optimize(options_).measured);
}

TEST_F(CampaignTest, AnotherOptimizerCannotGoOn) {
  python("send(type='suspend')");
  run_optimize(options_);
  options_.resume = true;
  options_.optimizer.name = "other";
  EXPECT_THROW(run_optimize(options_), InputError);
}

TEST_F(CampaignTest, ATranscriptWithoutAWholeLineIsBegunAgain) {
  python("send(type='suspend')");
  run_optimize(options_);
  options_.resume = true;
  python(two_attempts);
  std::ofstream(options_.out / "transcripts/silu_and_mul/fp32.jsonl", std::ios::trunc) << "{\"sche";
  EXPECT_EQ(run_optimize(options_).suspended, 0);
  EXPECT_EQ(records().size(), 4u);
}

TEST_F(CampaignTest, ASessionHasAFolderOfItsOwn) {
  python("open(os.environ['MSKB_SESSION_DIR'] + '/mine', 'w').write(start['precision'])\n" + std::string(two_attempts));
  run_optimize(options_);
  EXPECT_EQ(read_file(options_.out / "sessions/silu_and_mul/bf16/mine"), "bf16");
}

TEST_F(CampaignTest, AnOptimizerWithoutAProcessSubmitsItsSolution) {
  options_.optimizer.kind = OptimizerKind::directory;
  options_.optimizer.directory = folder_.path() / "solutions";
  fs::create_directories(options_.optimizer.directory);
  std::ofstream(options_.optimizer.directory / "silu_and_mul.cu") << "right";
  run_optimize(options_);
  ASSERT_EQ(records().size(), 4u);
  EXPECT_EQ(records()[0].origin, "optimizer:test");
  EXPECT_FALSE(fs::exists(options_.out / "transcripts"));
  options_.resume = true;
  run_optimize(options_);
  std::ofstream(options_.optimizer.directory / "silu_and_mul.cu") << "right, and knows the contents";
  try {
    run_optimize(options_);
    FAIL() << "another submission after the key";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("has other submissions than when its final measurement began"));
  }
}

TEST_F(CampaignTest, AnOptionThatItLacksStopsBeforeAnythingIsMade) {
  python(two_attempts);
  options_.optimizer_options["rounds"] = "3";
  EXPECT_THROW(run_optimize(options_), InputError);
  EXPECT_FALSE(fs::exists(options_.out));
}

TEST_F(CampaignTest, TheProgramKnowsItsFolder) {
  python("assert os.environ['MSKB_OPTIMIZER_DIR'] == '" + folder_.path().string() + "'\n" + two_attempts);
  EXPECT_EQ(run_optimize(options_).sessions.at("silu_and_mul/fp32").ending, SessionEnding::submitted);
}

}  // namespace
}  // namespace mskb
