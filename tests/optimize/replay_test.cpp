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
  EXPECT_THAT(notes_of_replay(session_), ::testing::ElementsAre(HasSubstr("2 evaluations repeated: 6 verdicts as recorded, 0 others")));
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
  EXPECT_THAT(notes_of_replay(session_), ::testing::ElementsAre("all cases: was passed, is mismatch", "silu_and_mul/fp32/smoke/0: was passed, is mismatch",
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

}  // namespace
}  // namespace mskb
