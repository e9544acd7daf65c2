#include <gmock/gmock.h>

#include <fstream>

#include "fake_harness.hpp"

namespace mskb {
namespace {

using ::testing::HasSubstr;
using test::FakeSession;

// A session with notes, a malformed line, a wrong and a right candidate.
const std::string original = R"(
import json, sys
def send(**message): print(json.dumps(message), flush=True)
sys.stdin.readline()
send(type="note", role="coder", tokens={"input": 10, "output": 2}, cost=0.125, text="\u00e4")
send(type="evaluate", sources={"k.cu": "wrong", "b.cuh": "1"}, main="k.cu", flags=["-O3"], cases=["smoke"])
sys.stdin.readline()
print("rubbish", flush=True)
sys.stdin.readline()
send(type="evaluate", sources={"k.cu": "right"})
right = json.loads(sys.stdin.readline())
send(type="submit", id=right["id"])
)";

class ReplayTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(recorded_.python(original).ending, SessionEnding::submitted); }
  SessionOutcome replay() { return session_.run({std::string(MSKB_BINARY_DIR) + "/mskb-replay"}); }
  static std::vector<std::string> notes_of_replay(const FakeSession& session) {
    std::vector<std::string> texts;
    for (const Json& note : session.messages(false, "note")) {
      if (note.value("role", "") == "replay") {
        texts.push_back(note.at("text").get<std::string>());
      }
    }
    return texts;
  }
  // Without what replay itself has to say.
  static std::vector<Json> sent(const FakeSession& session) {
    std::vector<Json> messages;
    for (const TranscriptLine& line : session.transcript().lines) {
      if (!line.from_harness && line.message.is_object() && line.message.value("role", "") != "replay") {
        messages.push_back(line.message);
      }
    }
    return messages;
  }

  FakeSession recorded_, session_;
};

TEST_F(ReplayTest, SendsTheSameMessagesInTheSameOrder) {
  session_.options["transcript"] = recorded_.transcript_file().string();
  const SessionOutcome outcome = replay();
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(sent(session_), sent(recorded_));
  EXPECT_THAT(notes_of_replay(session_), ::testing::ElementsAre("repeats 2 evaluations, at the sizes smoke of 2",
                                                                HasSubstr("2 evaluations repeated: 6 verdicts as recorded, 0 others")));
  EXPECT_EQ(outcome.submitted->sources.at("k.cu"), "right");
  EXPECT_EQ(outcome.spending.tokens, 12);
}

TEST_F(ReplayTest, ARunsDirectoryIsATranscriptToo) {
  session_.options["transcript"] = recorded_.folder.path().string();
  EXPECT_EQ(replay().ending, SessionEnding::submitted);
  EXPECT_EQ(sent(session_), sent(recorded_));
}

TEST_F(ReplayTest, ItsOwnFolderHoldsTheDefault) {
  session_.options["transcript"] = "";
  session_.environment["MSKB_OPTIMIZER_DIR"] = recorded_.folder.path().string();
  EXPECT_EQ(replay().ending, SessionEnding::submitted);
}

TEST_F(ReplayTest, ADifferentVerdictIsNoted) {
  session_.options["transcript"] = recorded_.transcript_file().string();
  session_.plan.evaluate = [](Candidate candidate, const std::vector<std::string>& sets) {
    candidate.sources["k.cu"] = candidate.sources["k.cu"] == "right" ? "wrong" : candidate.sources["k.cu"];
    return test::fake_report(candidate, sets);
  };
  const SessionOutcome outcome = replay();
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_THAT(notes_of_replay(session_), ::testing::ElementsAre(HasSubstr("repeats 2"), "all cases: was passed, is mismatch", "silu_and_mul/fp32/smoke/0: was passed, is mismatch",
                                                                "silu_and_mul/fp32/smoke/1: was passed, is mismatch",
                                                                HasSubstr("3 verdicts as recorded, 3 others")));
}

TEST_F(ReplayTest, AnotherProblemIsRefused) {
  // The same transcript with another precision in its start.
  std::string text = read_file(recorded_.transcript_file());
  const std::string precision = "\"precision\":\"fp32\"";
  text.replace(text.find(precision), precision.size(), "\"precision\":\"bf16\"");
  const auto file = recorded_.folder.path() / "other.jsonl";
  std::ofstream(file) << text;
  session_.options["transcript"] = file.string();
  const SessionOutcome outcome = replay();
  EXPECT_EQ(outcome.ending, SessionEnding::died);
  EXPECT_THAT(outcome.detail, HasSubstr("is about silu_and_mul/bf16, and this session about silu_and_mul/fp32"));
}

TEST_F(ReplayTest, WithoutATranscriptItSaysWhereItLooked) {
  session_.options["transcript"] = recorded_.folder.path().string() + "/nowhere";
  const SessionOutcome outcome = replay();
  EXPECT_EQ(outcome.ending, SessionEnding::died);
  EXPECT_THAT(outcome.detail, HasSubstr("nowhere/transcripts/silu_and_mul/fp32.jsonl: there is no such transcript"));
}

TEST_F(ReplayTest, ATranscriptThatWasCutOffIsReplayedAsFarAsItGoes) {
  const std::string text = read_file(recorded_.transcript_file());
  const auto file = recorded_.folder.path() / "cut.jsonl";
  std::ofstream(file) << text.substr(0, text.find("\"type\": \"submit\"") + 5);
  session_.options["transcript"] = file.string();
  const SessionOutcome outcome = replay();
  EXPECT_EQ(outcome.ending, SessionEnding::died);
  EXPECT_EQ(outcome.spending.evaluations, 2);
}

TEST_F(ReplayTest, WhatTheHarnessRefusedIsNotSentAgain) {
  FakeSession strange;
  ASSERT_EQ(strange.python(R"(
import json, sys
def send(**message): print(json.dumps(message), flush=True)
sys.stdin.readline()
send(type="note", cost=-1)
sys.stdin.readline()
send(type=5)
sys.stdin.readline()
send(type="evaluate", sources={"k.cu": "right"})
send(type="submit", id=json.loads(sys.stdin.readline())["id"])
)").ending,
            SessionEnding::submitted);
  session_.options["transcript"] = strange.transcript_file().string();
  EXPECT_EQ(replay().ending, SessionEnding::submitted);
  EXPECT_EQ(session_.messages(true, "error").size(), 0u);
  EXPECT_THAT(notes_of_replay(session_).back(), HasSubstr("1 evaluation repeated: 3 verdicts as recorded, 0 others"));
}

// A session on a GPU, at sizes that are not for the CPU.
const std::string at_paper_sizes = R"(
import json, sys
def evaluate(text, cases):
    print(json.dumps({"type": "evaluate", "sources": {"k.cu": text}, "cases": cases}), flush=True)
    return json.loads(sys.stdin.readline())["id"]
sys.stdin.readline()
evaluate("right", ["smoke", "paper"])
print(json.dumps({"type": "submit", "id": evaluate("wrong, fast", "paper")}), flush=True)
)";

TEST_F(ReplayTest, OnTheCpuItLeavesTheLargerSizesOutAndSaysSo) {
  FakeSession gpu;
  gpu.timed = true;
  ASSERT_EQ(gpu.python(at_paper_sizes).ending, SessionEnding::submitted);
  session_.options["transcript"] = gpu.transcript_file().string();
  session_.plan.budget.evaluations = 2;
  std::vector<std::string> shown, sets;
  session_.plan.notice = [&](const std::string& text) { shown.push_back(text); };
  const auto evaluate = session_.plan.evaluate;
  session_.plan.evaluate = [&](const Candidate& candidate, const std::vector<std::string>& of_one) {
    sets.insert(sets.end(), of_one.begin(), of_one.end());
    return evaluate(candidate, of_one);
  };
  EXPECT_EQ(replay().ending, SessionEnding::submitted);
  EXPECT_THAT(sets, ::testing::ElementsAre("smoke", "check"));
  EXPECT_THAT(shown, ::testing::ElementsAre(
                         "silu_and_mul/fp32: test: repeats 2 evaluations, at the sizes check of 1, smoke of 1; not run here, on the CPU: paper of 2"));
  EXPECT_THAT(notes_of_replay(session_).back(), HasSubstr(": 2 verdicts as recorded, 0 others, 24 recorded ones of cases that did not run here"));
}

TEST_F(ReplayTest, SaysWhereTheBudgetIsTooSmall) {
  session_.options["transcript"] = recorded_.transcript_file().string();
  session_.plan.budget.evaluations = 1;
  replay();
  EXPECT_THAT(notes_of_replay(session_).front(), HasSubstr("; the budget allows 1, see --evaluations"));
}

// What mskb-replay answers to a check of this transcript.
std::string fault_of(const std::filesystem::path& file, const std::string& task = "silu_and_mul", const std::string& precision = "fp32") {
  const Json question{{"type", "check"}, {"task", task}, {"precision", precision}, {"options", {{"transcript", file.string()}}}};
  const TemporaryDirectory folder;
  OptimizerProcess process({std::string(MSKB_BINARY_DIR) + "/mskb-replay"}, {}, folder.path() / "log");
  const auto until = OptimizerChannel::Clock::now() + std::chrono::minutes(1);
  process.send(one_line(question), until);
  const Json answer = Json::parse(process.receive(until).text);
  EXPECT_EQ(answer.at("type"), "checked");
  return answer.at("fault").is_null() ? "" : answer.at("fault").get<std::string>();
}

TEST_F(ReplayTest, EveryStoredTranscriptIsRight) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(MSKB_SOURCE_DIR) / "results")) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() == ".jsonl" && file.parent_path().parent_path().filename() == "transcripts") {
      ++files;
      EXPECT_EQ(fault_of(file, file.parent_path().filename().string(), file.stem().string()), "");
    }
  }
  EXPECT_GT(files, 0);
}

TEST_F(ReplayTest, ATranscriptIsCheckedLineByLine) {
  EXPECT_EQ(fault_of(recorded_.transcript_file()), "");
  const std::string text = read_file(recorded_.transcript_file());
  const auto file = recorded_.folder.path() / "edited.jsonl";
  for (const auto& [from, to, line] :
       {std::tuple("\"schema\":1", "\"schema\":2", 1), std::tuple("\"n\":3", "\"n\":\"3\"", 4), std::tuple("\"n\":4", "\"n\":3", 5),
        std::tuple("\"from\":\"optimizer\"", "\"from\":\"nobody\"", 3), std::tuple("\"from\":\"optimizer\"", "\"from\":7", 3),
        std::tuple("\"message\":{\"type\": \"note\"", "\"message\":5,\"rest\":{\"type\": \"note\"", 3), std::tuple("\"n\":2,", "\xff", 3),
        std::tuple("\"from\":\"harness\",\"message\":{\"type\":\"start\"", "\"from\":\"harness\",\"message\":{\"type\":\"stop\"", 2),
        std::tuple("\"type\": \"evaluate\"", "\"type\": \"note\"", 5), std::tuple("\"verdict\":\"mismatch\"", "\"verdict\":null", 5),
        std::tuple("\"task\":\"silu_and_mul\"", "\"task\":[]", 2)}) {
    std::string edited = text;
    ASSERT_NE(edited.find(from), std::string::npos) << from;
    edited.replace(edited.find(from), std::string(from).size(), to);
    std::ofstream(file) << edited;
    EXPECT_THAT(fault_of(file), ::testing::StartsWith(file.string() + ":" + std::to_string(line) + ": ")) << from << " -> " << to;
  }
  std::ofstream(file) << text.substr(0, text.find('\n') + 1) << "{\"a\":" << std::string(100000, '[') << std::string(100000, ']') << "}\n" << text;
  EXPECT_THAT(fault_of(file), HasSubstr(":2: "));
  std::ofstream(file) << text.substr(0, text.find('\n') + 1);
  EXPECT_THAT(fault_of(file), HasSubstr("holds no session"));
}

}  // namespace
}  // namespace mskb
