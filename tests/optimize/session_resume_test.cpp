#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "fake_harness.hpp"

// Sessions that are led again from what is on record of them.
namespace mskb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using test::FakeSession;

const std::string prelude = R"(
import json, os, sys, time
def send(**message): print(json.dumps(message), flush=True)
def receive():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit("closed")
def evaluate(text): send(type="evaluate", sources={"k.cu": text}); return receive()
start = receive()
)";

// Notes, a malformed message, failures, a stop and a refused submission.
const std::string eventful = prelude + R"(
send(type="note", role="planner", text="p", tokens={"input": 100, "output": 10}, cost=0.25)
wrong = evaluate("wrong")
print("rubbish", flush=True)
assert receive()["type"] == "error"
send(type="note", role="coder", text=wrong["detail"])
first = evaluate("right")
second = evaluate("fast")
send(type="note", role="coder", text=str(second["left"]["evaluations"]))
reply = evaluate("one too many")
assert reply["type"] == "stop", reply
send(type="submit", id="ffffffffffffffff")
assert receive()["type"] == "error"
send(type="submit", id=second["id"])
)";

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

// What was said, without the times at which it was.
std::vector<std::string> said(const StoredTranscript& transcript) {
  std::vector<std::string> all;
  for (const TranscriptLine& line : transcript.lines) {
    Json message = line.message;
    if (message.is_object() && message.contains("left") && message["left"].is_object()) {
      message["left"].erase("wall_s");
    }
    all.push_back((line.from_harness ? "harness " : "optimizer ") + message.dump() + line.text);
  }
  return all;
}

TEST(SessionResume, CutOffAfterAnyLineItEndsTheSame) {
  FakeSession whole;
  whole.plan.budget.evaluations = 3;
  ASSERT_EQ(whole.python(eventful).ending, SessionEnding::submitted) << whole.transcript().end->dump();
  ASSERT_EQ(whole.origins.size(), 3u);
  const std::vector<std::string> lines = lines_of(whole.transcript_file());
  for (std::size_t kept = 1; kept < lines.size(); ++kept) {
    FakeSession again;
    again.plan.budget.evaluations = 3;
    again.resume = true;
    fs::create_directories(again.transcript_file().parent_path());
    {
      std::ofstream cut(again.transcript_file());
      std::size_t answered = 0;
      for (std::size_t i = 0; i < kept; ++i) {
        cut << lines[i] << "\n";
        answered += lines[i].find("\"type\":\"evaluation\"") != std::string::npos;
      }
      cut << lines[kept].substr(0, lines[kept].size() / 2);  // as a kill leaves it
      again.origins.resize(answered);
    }
    const std::size_t known = again.origins.size();
    const SessionOutcome outcome = again.python(eventful);
    SCOPED_TRACE(kept);
    EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
    EXPECT_EQ(outcome.submitted->origin, "optimizer:test#3");
    EXPECT_EQ(outcome.spending.tokens, 110);
    EXPECT_EQ(outcome.spending.money, 0.25);
    EXPECT_EQ(outcome.spending.evaluations, 3);
    EXPECT_EQ(outcome.spending.device_s, whole.transcript().end->at("spent").at("device_s").get<double>());
    EXPECT_EQ(said(again.transcript()), said(whole.transcript()));
    EXPECT_EQ(again.origins.size(), 3u) << known << " evaluations were on record";
    EXPECT_FALSE(fs::exists(again.transcript_file().string() + ".cut-1"));
  }
}

const std::string waits_for_a_file = prelude + R"(
first = evaluate("right")
send(type="note", role="coder", text="asks")
if not os.path.exists(os.environ["ANSWER"]):
    send(type="suspend", reason="no answer yet", awaits=os.environ["ANSWER"])
    sys.exit(0)
second = evaluate(open(os.environ["ANSWER"]).read())
send(type="submit", id=second["id"])
)";

TEST(SessionResume, ASuspendedSessionGoesOnWhereItWas) {
  FakeSession session;
  const fs::path answer = session.folder.path() / "answer";
  session.environment["ANSWER"] = answer.string();
  for (int i = 0; i < 3; ++i) {
    const SessionOutcome outcome = session.python(waits_for_a_file);
    EXPECT_EQ(outcome.ending, SessionEnding::suspended);
    EXPECT_EQ(outcome.detail, "no answer yet");
    EXPECT_EQ(outcome.awaits, answer.string());
    EXPECT_EQ(session.transcript().end, std::nullopt);
    EXPECT_EQ(session.origins.size(), 1u);
    session.resume = true;
  }
  const std::string text = read_file(session.transcript_file()), line = "\"suspended\":\"no answer yet\"";
  EXPECT_THAT(text, HasSubstr(line));
  EXPECT_EQ(text.find(line), text.rfind(line)) << "said once, however often it is looked at";
  write_file_atomically(answer, "fast");
  EXPECT_EQ(session.python(waits_for_a_file).ending, SessionEnding::submitted);
  EXPECT_EQ(session.origins.size(), 2u);
  EXPECT_EQ(session.messages(false, "evaluate").size(), 2u);
  EXPECT_TRUE(session.messages(false, "suspend").empty()) << "it is not part of what a replay repeats";
}

TEST(SessionResume, OneThatSaysSomethingElseKeepsWhatWasEvaluated) {
  FakeSession session;
  const auto program = [](const std::string& note, const std::string& last) {
    return prelude + "evaluate('right')\nsend(type='note', text='" + note + "')\nevaluate('wrong')\nid = evaluate('fast')['id']\n" + last;
  };
  ASSERT_EQ(session.python(program("first", "send(type='suspend')")).ending, SessionEnding::suspended);
  ASSERT_EQ(session.origins.size(), 3u);
  session.resume = true;
  const SessionOutcome outcome = session.python(program("second", "send(type='submit', id=id)"));
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(session.origins.size(), 3u) << "what was evaluated is on record";
  EXPECT_EQ(outcome.spending.evaluations, 3);
  const auto notes = session.messages(false, "note");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].at("text"), "second");
  EXPECT_EQ(session.messages(true, "evaluation").back().at("number"), 3);
  EXPECT_THAT(read_file(session.transcript_file().string() + ".cut-1"), HasSubstr("first"));
}

TEST(SessionResume, OneThatDiesWhileItRepeatsHasNotEnded) {
  FakeSession session;
  session.python(prelude + "evaluate('right')\nevaluate('fast')\nsend(type='suspend')");
  session.resume = true;
  const SessionOutcome outcome = session.python(prelude + "evaluate('right')\nsys.exit('option rounds: what is that')");
  EXPECT_EQ(outcome.ending, SessionEnding::suspended);
  EXPECT_THAT(outcome.detail, HasSubstr("before it had repeated what is on record: it ended with exit code 1; its log ends: option rounds"));
  EXPECT_EQ(session.transcript().end, std::nullopt);
  EXPECT_EQ(session.python(prelude + "evaluate('right')\nsend(type='submit', id=evaluate('fast')['id'])").ending, SessionEnding::submitted);
  EXPECT_EQ(session.origins.size(), 2u);
}

TEST(SessionResume, TheTimeBeforeCounts) {
  FakeSession session;
  session.python(prelude + "evaluate('right')\nsend(type='suspend')");
  std::string text = read_file(session.transcript_file());
  text += R"({"n":9,"t":59.5,"from":"session","suspended":"later"})" "\n";
  std::ofstream(session.transcript_file()) << text;
  session.resume = true;
  const SessionOutcome outcome = session.python(prelude + R"(
assert start["budget"]["wall_s"] < 1, start["budget"]
evaluate("right")
reply = receive()
assert reply["figure"] == "wall_s", reply
send(type="submit", id=None)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::nothing_submitted) << outcome.detail;
  EXPECT_GE(outcome.spending.wall_s, 60);
}

TEST(SessionResume, NewOptionsReachItAndOldFactsStay) {
  FakeSession session;
  session.options["rounds"] = "1";
  session.python(prelude + "send(type='suspend')");
  session.resume = true;
  session.options["rounds"] = "2";
  session.timed = true;
  const SessionOutcome outcome = session.python(prelude + R"(
assert start["options"]["rounds"] == "2" and start["device"]["backend"] == "cpu", start
send(type="submit", id=None)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::nothing_submitted) << outcome.detail;
  EXPECT_EQ(session.messages(true, "start").size(), 1u);
}

}  // namespace
}  // namespace mskb
