#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.hpp"
#include "base/subprocess.hpp"
#include "model/verdict.hpp"
#include "optimize/transcript.hpp"
#include "store/run_reader.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The command line on the CPU backend: real builds, keeper and workers.
class EndToEnd : public ::testing::Test {
 protected:
  EndToEnd() {
    ::setenv("MSKB_HOME", MSKB_SOURCE_DIR, 1);
    ::setenv("MSKB_CACHE", (folder_.path() / "cache").c_str(), 1);
  }
  SubprocessResult optimize(const std::vector<std::string>& words) {
    std::vector<std::string> command{std::string(MSKB_BINARY_DIR) + "/mskb", "optimize", "--device", "cpu", "--task",
                                     "silu_and_mul", "--precision", "fp32", "--out", run().string()};
    command.insert(command.end(), words.begin(), words.end());
    SubprocessOptions options;
    options.time_limit = std::chrono::minutes(10);
    return run_subprocess(command, options);
  }
  fs::path run() const { return folder_.path() / "run"; }
  StoredTranscript transcript() const { return read_transcript(run() / "transcripts/silu_and_mul/fp32.jsonl"); }

  TemporaryDirectory folder_;
};

// What the optimizer sent, and the verdicts that it was told.
std::vector<Json> sent(const StoredTranscript& transcript) {
  std::vector<Json> messages;
  for (const TranscriptLine& line : transcript.lines) {
    if (!line.from_harness) {
      messages.push_back(line.message);
    }
  }
  return messages;
}
std::vector<std::string> told(const StoredTranscript& transcript) {
  std::vector<std::string> verdicts;
  for (const TranscriptLine& line : transcript.lines) {
    if (line.from_harness && line.message.at("type") == "evaluation") {
      for (const Json& each : line.message.at("cases")) {
        verdicts.push_back(each.at("case").get<std::string>() + " " + each.at("verdict").get<std::string>());
      }
    }
  }
  return verdicts;
}

TEST_F(EndToEnd, AHandMadeOptimizerFindsItsMistakeAndSubmits) {
  const SubprocessResult result = optimize({"--optimizer", MSKB_SOURCE_DIR "/tests/fixtures/two_attempts"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(told(transcript()), ::testing::Contains(HasSubstr("smoke/0 mismatch")));
  for (const Evaluation& evaluation : read_run(run()).evaluations) {
    EXPECT_EQ(evaluation.verdict, Verdict::passed) << evaluation.case_name << ": " << evaluation.detail;
  }
  const std::string text = read_file(run() / "transcripts/silu_and_mul/fp32.jsonl");
  EXPECT_EQ(text.find(MSKB_SOURCE_DIR), std::string::npos) << "paths of this machine in a transcript";
  EXPECT_EQ(text.find(folder_.path().string()), std::string::npos) << "paths of this machine in a transcript";
}

TEST_F(EndToEnd, TheStoredTranscriptReplaysToTheSameVerdicts) {
  const StoredTranscript stored =
      read_transcript(fs::path(MSKB_SOURCE_DIR) / "optimizers/replay/transcripts/silu_and_mul/fp32.jsonl");
  const SubprocessResult result = optimize({"--optimizer", "replay"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::vector<Json> again = sent(transcript());
  ASSERT_GE(again.size(), 3u);
  EXPECT_EQ(again.front().at("text"), "repeats 2 evaluations, at the sizes smoke of 2");
  EXPECT_THAT(result.errors, HasSubstr("mskb: silu_and_mul/fp32: replay: repeats 2 evaluations, at the sizes smoke of 2\n"));
  again.erase(again.begin());
  const auto closing = again.end() - 2;  // before the submission
  EXPECT_EQ(closing->at("role"), "replay");
  EXPECT_THAT(closing->at("text").get<std::string>(), StartsWith("2 evaluations repeated: 20 verdicts as recorded, 0 others, 0 recorded ones"));
  again.erase(closing);
  EXPECT_EQ(again, sent(stored)) << "another note of replay tells of another verdict";
  EXPECT_EQ(told(transcript()), told(stored));
  EXPECT_EQ(transcript().end->at("id"), stored.end->at("id"));
}

// The text between two marks of docs/optimizer-protocol.md.
std::string between(const std::string& open, const std::string& close) {
  const std::string text = read_file(fs::path(MSKB_SOURCE_DIR) / "docs/optimizer-protocol.md");
  const std::size_t start = text.find(open) + open.size();
  return text.substr(start, text.find(close, start) - start);
}

TEST_F(EndToEnd, TheDocumentsOwnOptimizerWorks) {
  const fs::path mine = folder_.path() / "mine";
  fs::create_directories(mine);
  write_file_atomically(mine / "optimizer.yaml", between("| sources, prompts | its own |\n\n", "\n\nA program is started"));
  write_file_atomically(mine / "agent.py", between("```python\n", "```"));
  const SubprocessResult result = optimize({"--optimizer", mine.string(), "--option", "rounds=5"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(transcript().lines.at(0).message.at("options").at("rounds"), "5");
  EXPECT_EQ(transcript().end->at("ending"), "submitted");

  Json start = transcript().lines.at(0).message, shown = Json::parse(between("## start\n\n```json\n", "```"));
  start["options"]["rounds"] = "3";
  for (const char* of_this_machine : {"name", "multiprocessors", "l2_bytes", "memory_bytes", "compiler"}) {
    EXPECT_EQ(shown.at("device").at(of_this_machine).is_number(), start.at("device").at(of_this_machine).is_number()) << of_this_machine;
    start["device"][of_this_machine] = shown.at("device").at(of_this_machine);
  }
  start["reference"]["sources"]["silu_and_mul.cu"] = shown.at("reference").at("sources").at("silu_and_mul.cu");  // as the page says, shortened
  const Json first = start.at("cases").at("smoke").at(0);
  start["cases"] = {{"smoke", Json::array({first})}};
  EXPECT_EQ(start, shown) << start.dump() << "\n" << shown.dump();
}

TEST_F(EndToEnd, TheDocumentsOptimizerInCppWorks) {
  const fs::path mine = folder_.path() / "mine";
  fs::create_directories(mine);
  write_file_atomically(mine / "optimizer.yaml", "name: mine\nkind: program\ncommand: [flag_optimizer]\nsummary: the document's example in C++\n");
  const SubprocessResult result = optimize({"--optimizer", mine.string()});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(transcript().end->at("ending"), "submitted");
}

TEST_F(EndToEnd, OptimizersWithoutAProcessNeedNoSession) {
  const SubprocessResult result = optimize({"--optimizer", "identity"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_FALSE(fs::exists(run() / "transcripts"));
  EXPECT_EQ(read_run(run()).evaluations.back().origin, "optimizer:identity");
}

TEST_F(EndToEnd, AProblemWithoutSubmissionFailsAndSaysWhy) {
  const SubprocessResult result = optimize({"--optimizer", MSKB_SOURCE_DIR "/tests/fixtures/two_attempts", "--evaluations", "1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.errors, HasSubstr("silu_and_mul/fp32: two_attempts submitted nothing (died)"));
  EXPECT_THAT(result.errors, HasSubstr("the budget of 1 evaluation is spent"));
}

TEST_F(EndToEnd, ATranscriptWithAWrongLineIsRefusedBeforeAnySession) {
  std::string text = read_file(fs::path(MSKB_SOURCE_DIR) / "optimizers/replay/transcripts/silu_and_mul/fp32.jsonl");
  text.replace(text.find("\"n\":3"), 5, "\"n\":[]");
  const fs::path file = folder_.path() / "edited.jsonl";
  write_file_atomically(file, text);
  const SubprocessResult result = optimize({"--optimizer", "replay", "--option", "transcript=" + file.string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("mskb: " + file.string() + ":4: 'n' is not a number"));
  EXPECT_FALSE(fs::exists(run()));
}

// An optimizer's program that does not speak the protocol.
TEST_F(EndToEnd, AnUnansweredCheckIsRefusedWithItsReason) {
  const fs::path mine = folder_.path() / "mine";
  fs::create_directories(mine);
  write_file_atomically(mine / "optimizer.yaml", "name: mine\nkind: program\ncommand: [sh, -c, 'echo no paper >&2; exit 3']\nsummary: s\nchecks: true\n");
  const SubprocessResult result = optimize({"--optimizer", mine.string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("did not answer the check for silu_and_mul/fp32: it ended with exit code 3; its log ends: no paper"));
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(EndToEnd, WrongWordsAreOneLineAndExitCode2) {
  for (const auto& [words, message] : {std::pair(std::vector<std::string>{"--optimizer", "nobody"}, "nobody: is neither an optimizer"),
                                       {{"--optimizer", "replay", "--option", "rounds"}, "write NAME=VALUE"},
                                       {{"--optimizer", "replay", "--option", "rounds=3"}, "option 'rounds' is unknown"},
                                       {{"--optimizer", "replay", "--session-time", "soon"}, "--session-time: 'soon' is not a time"},
                                       {{"--optimizer", "replay", "--session-time", "1ms"}, "--session-time 1ms: too short for a session; give 1s or more"},
                                       {{"--optimizer", "replay", "--session-time", "0.9s"}, "--session-time 0.9s: too short for a session; give 1s or more"},
                                       {{"--optimizer", "replay", "--device-time", "x"}, "--device-time: 'x' is not a time"},
                                       {{"--optimizer", "replay", "--budget", "x"}, "--budget: 'x' is not a time"},
                                       {{"--optimizer", "replay", "--evaluations", "0"}, "--evaluations: Value 0 not in range 1 to 1000000"},
                                       {{"--optimizer", "cudamaster", "--option", "scored_sizes=huge"}, "option scored_sizes=huge: optimizer cudamaster does"},
                                       {{"--optimizer", "astra", "--option", "scored_sizes=huge"}, "give one of smoke, paper, large, check"},
                                       {{"--optimizer", "astra", "--option", "provider=replay"}, "option provider=replay needs option transcript=FILE"},
                                       {{"--optimizer", "replay", "--option", "transcript=nowhere"}, "there is no such transcript"},
                                       {{"--optimizer", "replay", "--trial-time", "0s"}, "--trial-time: '0s' is not a time"},
                                 {{"--optimizer", "replay", "--off-device"}, "--off-device: goes on with a run that began"}}) {
    const SubprocessResult result = optimize(words);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr(message));
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_FALSE(fs::exists(run()));
  }
}

}  // namespace
}  // namespace mskb
