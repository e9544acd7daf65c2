#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/errors.hpp"
#include "fake_harness.hpp"

namespace mskb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using test::FakeSession;

// What every optimizer of these tests begins with.
const std::string prelude = R"(
import json, os, sys, time
def send(**message): print(json.dumps(message), flush=True)
def receive():
    line = sys.stdin.readline()
    return json.loads(line) if line else {"type": "closed"}
def evaluate(text): send(type="evaluate", sources={"k.cu": text}); return receive()
start = receive()
)";

TEST(Session, EvaluatesAndTakesTheSubmission) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + R"(
wrong, right = evaluate("wrong"), evaluate("right")
assert (wrong["verdict"], right["verdict"]) == ("mismatch", "passed"), (wrong, right)
assert wrong["cases"][0]["errors"][0]["refused"] == 8
assert right["left"]["evaluations"] == 8
send(type="submit", id=right["id"])
)");
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(outcome.submitted->sources.at("k.cu"), "right");
  EXPECT_EQ(outcome.submitted->origin, "optimizer:test#2");
  EXPECT_EQ(outcome.spending.evaluations, 2);
  EXPECT_THAT(session.origins, ElementsAre("optimizer:test#1", "optimizer:test#2"));
  EXPECT_EQ(session.messages(true, "start").size(), 1u);
  EXPECT_EQ(session.messages(false, "evaluate").size(), 2u);
  EXPECT_EQ(session.messages(true, "evaluation").size(), 2u);
  EXPECT_EQ(session.transcript().end->at("candidate").at("sources").at("k.cu"), "right");
}

TEST(Session, StartTellsTheProblem) {
  FakeSession session;
  session.options["wish"] = "much";
  EXPECT_EQ(session.python(prelude + R"(
assert start["type"] == "start" and start["task"] == "silu_and_mul" and start["precision"] == "fp32"
assert "void silu_and_mul(const float*" in start["declaration"], start["declaration"]
assert [a["role"] for a in start["signature"]] == ["in", "out", "dim", "dim"]
assert "__global__" in start["reference"]["sources"][start["reference"]["main"]]
assert set(start["cases"]) == {"smoke", "check", "paper", "large"} and len(start["cases"]["paper"]) == 12
assert start["cases"]["paper"][0]["dims"] == {"B": 16, "D": 4096}
assert start["budget"]["evaluations"] == 10 and start["budget"]["tokens"] is None
assert start["options"] == {"wish": "much"}
send(type="submit", id=None, reason="only looked")
)").ending,
            SessionEnding::nothing_submitted)
      << session.transcript().end->dump();
}

TEST(Session, SubmittingNothingIsAnOutcome) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + "send(type='submit', id=None, reason='no idea')");
  EXPECT_EQ(outcome.ending, SessionEnding::nothing_submitted);
  EXPECT_EQ(outcome.submitted, std::nullopt);
  EXPECT_THAT(outcome.detail, HasSubstr("no idea"));
}

TEST(Session, MalformedMessagesAreAnsweredAndTheSessionGoesOn) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + R"(
def refused(line):
    print(line, flush=True)
    reply = receive()
    assert reply["type"] == "error", reply
    return reply
assert refused("hello")["left"] == 7
assert "launch" in refused('{"type": "launch"}')["message"]
assert "sources" in refused('{"type": "evaluate"}')["message"]
sys.stdout.buffer.write(b'{"type": "note", "text": "\xff"}\n'); sys.stdout.flush()
assert "UTF-8" in receive()["message"]
assert "nest" in refused('{"type":"note","a":' + '[' * 100000 + ']' * 100000 + '}')["message"]
send(type="submit", id=evaluate("right")["id"])
)");
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(outcome.spending.evaluations, 1);
}

// What a transcript keeps of them can be read, and the session goes on from there.
TEST(Session, StrangeMessagesLeaveATranscriptThatCanBeGoneOnWith) {
  const std::string strange = prelude + R"(
def refused(line):
    sys.stdout.buffer.write(line + b"\n"); sys.stdout.flush()
    reply = receive()
    assert reply["type"] == "error", reply
deep = b"[" * 200000
for line in (b"5", b"[1]", b"null", b'"suspend"', b'{"type": 5}', b'\xef\xbb\xbf{"type": "note"}', b'{"type": "suspend", "a": ' + deep, deep): refused(line)
if start["options"]["suspend"] == "yes":
    send(type="suspend", reason="later")
    sys.exit()
send(type="submit", id=evaluate("right")["id"])
)";
  FakeSession session;
  session.options["suspend"] = "yes";
  EXPECT_EQ(session.python(strange).ending, SessionEnding::suspended);
  const std::size_t lines = session.transcript().lines.size();
  EXPECT_EQ(lines, 1u + 2 * 8);
  session.resume = true;
  session.options["suspend"] = "no";
  const SessionOutcome outcome = session.python(strange);
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(session.transcript().lines.size(), lines + 3) << "what was said before was not said again";
}

TEST(Session, FiguresBeyondMeasureAreRefused) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + R"(
for figures in ({"cost": 1e300}, {"tokens": {"input": 1e16}}, {"cost": -1}, {"cost": "much"}):
    send(type="note", **figures)
    assert "from 0 to 1e15" in receive()["message"]
send(type="note", cost=1e15, tokens={"input": 1e15, "output": 1e15})
send(type="submit", id=None)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::nothing_submitted) << outcome.detail;
  EXPECT_EQ(outcome_from_json(*session.transcript().end).spending.tokens, 2e15);
}

TEST(Session, ANoteCanBeShown) {
  FakeSession session;
  std::vector<std::string> shown;
  session.plan.notice = [&](const std::string& text) { shown.push_back(text); };
  session.python(prelude + R"(
send(type="note", text="three\nlines \u001b[2J\u202e", show=True)
send(type="note", text="silent", show=False)
send(type="note", show=True)
assert "'show' must be" in receive()["message"]
send(type="submit", id=None)
)");
  EXPECT_THAT(shown, ElementsAre("silu_and_mul/fp32: test: three lines [U+001B][2J[U+202E]"));
}

TEST(Session, WhatEndsItIsALineThatSteersNoTerminal) {
  const std::string text = R"("one\ntwo \x1b[2J\u202e")";
  for (const std::string& ending : {"send(type='submit', id=None, reason=" + text + ")", "send(type='suspend', reason=" + text + ")",
                                    "print(" + text + "[4:], file=sys.stderr); sys.exit(3)"}) {
    FakeSession session;
    const SessionOutcome outcome = session.python(prelude + ending);
    EXPECT_THAT(outcome.detail, HasSubstr("two [U+001B][2J[U+202E]"));
    EXPECT_THAT(outcome.detail, ::testing::Not(HasSubstr("\n")));
  }
}

TEST(Session, TooManyMalformedMessagesEndItAsTheOptimizersFailure) {
  FakeSession session;
  session.plan.limits.leaving = std::chrono::milliseconds(50);
  const SessionOutcome outcome = session.python(prelude + "for i in range(100): print('rubbish', i, flush=True)\ntime.sleep(60)");
  EXPECT_EQ(outcome.ending, SessionEnding::failed);
  EXPECT_THAT(outcome.detail, HasSubstr("9 malformed messages; the last: not a line of JSON"));
  EXPECT_EQ(session.messages(true, "error").size(), 8u);
}

TEST(Session, SubmittingAnUnknownIdIsRefusedWithTheIdsThatThereAre) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + R"(
id = evaluate("right")["id"]
send(type="submit", id="ffffffffffffffff")
reply = receive()
assert reply["type"] == "error" and "'ffffffffffffffff' was not evaluated" in reply["message"] and id in reply["message"], reply
send(type="submit", id=id)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
}

TEST(Session, DeathIsDataWithTheExitCodeAndTheLastLineOfTheLog) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + "evaluate('right')\nprint('out of paper', file=sys.stderr)\nsys.exit(3)");
  EXPECT_EQ(outcome.ending, SessionEnding::died);
  EXPECT_THAT(outcome.detail, HasSubstr("exit code 3"));
  EXPECT_THAT(outcome.detail, HasSubstr("out of paper"));
  EXPECT_EQ(outcome.submitted, std::nullopt);
}

TEST(Session, DeathByASignalIsNamed) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + "os.kill(os.getpid(), 9)");
  EXPECT_EQ(outcome.ending, SessionEnding::died);
  EXPECT_THAT(outcome.detail, HasSubstr("signal 9"));
}

TEST(Session, AnOptimizerThatNeverReadsButSubmitsInTimeIsHeard) {
  FakeSession session;
  // A last line needs no newline.
  const SessionOutcome outcome = session.run({"sh", "-c", "printf '{\"type\":\"submit\",\"id\":null}'"});
  EXPECT_EQ(outcome.ending, SessionEnding::nothing_submitted);
}

TEST(Session, AProgramThatLeavesSomethingBehindIsNotWaitedFor) {
  FakeSession session;
  const SessionOutcome outcome = session.run({"sh", "-c", "sleep 600 & exit 4"});  // `sleep` holds standard output open
  EXPECT_EQ(outcome.ending, SessionEnding::died);
  EXPECT_THAT(outcome.detail, HasSubstr("exit code 4"));
}

TEST(Session, TheWallTimeStopsItUnasked) {
  FakeSession session;
  session.plan.budget.wall_s = 0.2;
  const SessionOutcome outcome = session.python(prelude + R"(
stop = receive()
assert stop["type"] == "stop" and stop["figure"] == "wall_s" and stop["left"]["wall_s"] == 0, stop
send(type="submit", id=None)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::nothing_submitted) << outcome.detail;
}

TEST(Session, AHangIsStoppedAndThenKilledWithItsGroup) {
  FakeSession session;
  session.plan.budget.evaluations = 0;
  session.lose_patience();
  const auto file = session.folder.path() / "children";
  session.environment["CHILDREN"] = file.string();
  const SessionOutcome outcome = session.python(prelude + R"(
import subprocess
child = subprocess.Popen(["sleep", "600"])
open(os.environ["CHILDREN"], "w").write(f"{os.getpid()} {child.pid}")
assert evaluate("more")["type"] == "stop"
time.sleep(600)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::timed_out);
  EXPECT_THAT(outcome.detail, HasSubstr("did not submit after it had been told to stop"));
  std::ifstream stream(file);
  int parent = 0, child = 0;
  ASSERT_TRUE(stream >> parent >> child);
  EXPECT_EQ(::kill(parent, 0), -1);
  // A killed orphan is a zombie until init takes it; its state says so. A busy machine may not have got to its end yet.
  std::string text;
  for (int wait = 0; wait < 1000; ++wait) {
    std::ifstream status("/proc/" + std::to_string(child) + "/stat");
    text.clear();
    std::getline(status, text);
    if (text.empty() || text.find(") Z") != std::string::npos) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  FAIL() << text;
}

TEST(Session, AnOptimizerThatDoesNotReadIsGivenUp) {
  FakeSession session;
  session.lose_patience();
  session.plan.budget.evaluations = 1e6;
  const SessionOutcome outcome = session.python(R"(
import json, time
for i in range(2000): print(json.dumps({"type": "evaluate", "sources": {"k.cu": "wrong"}}), flush=True)
time.sleep(600)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::timed_out);
  EXPECT_THAT(outcome.detail, HasSubstr("did not read"));
}

TEST(Session, TheBudgetOfEvaluationsStopsIt) {
  FakeSession session;
  session.plan.budget.evaluations = 2;
  const SessionOutcome outcome = session.python(prelude + R"(
id = evaluate("right")["id"]
assert evaluate("other")["left"]["evaluations"] == 0
stop = evaluate("third")
assert stop["type"] == "stop" and stop["figure"] == "evaluations" and "2 evaluations" in stop["reason"], stop
send(type="submit", id=id)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(outcome.spending.evaluations, 2);
  EXPECT_EQ(session.origins.size(), 2u);
}

TEST(Session, TheBudgetsOfTokensAndMoneyStopItUnasked) {
  for (const auto& [figure, note] : {std::pair("tokens", "tokens={'input': 90, 'output': 20}"), std::pair("money", "cost=0.5")}) {
    FakeSession session;
    (std::string(figure) == "tokens" ? session.plan.budget.tokens : session.plan.budget.money) =
        std::string(figure) == "tokens" ? 100 : 0.5;
    const SessionOutcome outcome = session.python(prelude + "id = evaluate('right')['id']\nsend(type='note', " + note +
                                                  ")\nstop = receive()\nassert stop['type'] == 'stop' and stop['figure'] == '" +
                                                  figure + "', stop\nassert evaluate('more')['type'] == 'stop'\n" +
                                                  "send(type='submit', id=id)");
    EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
    EXPECT_EQ(session.origins.size(), 1u);
  }
}

TEST(Session, TheBudgetOfDeviceTimeStopsIt) {
  FakeSession session;
  session.plan.budget.device_s = 1;  // a smoke set is two cases of half a second
  const SessionOutcome outcome = session.python(prelude + R"(
id = evaluate("right")["id"]
assert evaluate("more")["figure"] == "device_s"
send(type="submit", id=id)
)");
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(outcome.spending.device_s, 1);
}

TEST(Session, ALineWithoutEndIsGivenUpAtTheLimit) {
  FakeSession session;
  session.plan.limits.leaving = std::chrono::milliseconds(50);
  const SessionOutcome outcome = session.python(R"(
import sys
for i in range(100): sys.stdout.write("x" * 1048576)
sys.stdout.flush()
)");
  EXPECT_EQ(outcome.ending, SessionEnding::failed);
  EXPECT_THAT(outcome.detail, HasSubstr("without a newline"));
  EXPECT_LT(std::filesystem::file_size(session.transcript_file()), 100000u);
}

TEST(Session, MoreThanTheLimitOfASessionIsGivenUp) {
  FakeSession session;
  session.plan.limits.leaving = std::chrono::milliseconds(50);
  session.process_limits.total = 1 << 20;
  const SessionOutcome outcome = session.python(prelude + "while True: send(type='note', text='x' * 10000)");
  EXPECT_EQ(outcome.ending, SessionEnding::failed);
  EXPECT_THAT(outcome.detail, HasSubstr("limit of one session"));
}

TEST(Session, EndlessNotesEndWithTheWallTime) {
  FakeSession session;
  session.plan.budget.wall_s = 0.3;
  session.lose_patience();
  const SessionOutcome outcome = session.python(prelude + "while True: send(type='note', text='busy'); time.sleep(0.001)");
  EXPECT_EQ(outcome.ending, SessionEnding::timed_out);
}

TEST(Session, ALogWithoutMeasureIsCut) {
  FakeSession session;
  session.process_limits.log = 1000;
  const SessionOutcome outcome = session.python(prelude + R"(
for i in range(100): sys.stderr.write("y" * 1048576)
sys.stderr.flush()
send(type="submit", id=evaluate("right")["id"])
)");
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
  EXPECT_EQ(std::filesystem::file_size(session.folder.path() / "optimizer.log"), 1000u);
}

TEST(Session, NotesAreStoredAsTheyAreAndAddUp) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + R"(
send(type="note", role="planner", text="think", tokens={"input": 100, "output": 20, "cached": 50}, cost=0.25, mood=["calm", {"deep": 1}])
send(type="note", text="free")
send(type="note", tokens={"input": 1, "output": None}, cost=None)
send(type="submit", id=None)
)");
  EXPECT_EQ(outcome.spending.tokens, 121);
  EXPECT_EQ(outcome.spending.money, 0.25);
  const auto notes = session.messages(false, "note");
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0].at("mood").at(1).at("deep"), 1);
}

TEST(Session, EvaluatesSentAheadAreAnsweredInOrder) {
  FakeSession session;
  const SessionOutcome outcome = session.python(prelude + R"(
for text in ("wrong", "right", "broken"): send(type="evaluate", sources={"k.cu": text})
replies = [receive() for _ in range(3)]
assert [r["verdict"] for r in replies] == ["mismatch", "passed", "build_failed"], replies
assert replies[2]["build"]["log"] == "a log\n" and replies[2]["detail"] == "k.cu:1: error: broken"
send(type="submit", id=replies[1]["id"])
)");
  EXPECT_EQ(outcome.ending, SessionEnding::submitted) << outcome.detail;
}

TEST(Session, AFailureOfTheHarnessIsAnExceptionAndNoEndOfTheSession) {
  FakeSession session;
  session.plan.evaluate = [](const Candidate&, const std::vector<std::string>&) -> CandidateReport {
    throw HarnessError("the keeper is lost");
  };
  EXPECT_THROW(session.python(prelude + "evaluate('right')"), HarnessError);
  EXPECT_EQ(session.transcript().end, std::nullopt);
}

TEST(Session, AProgramThatCannotBeStartedIsTheHarnesssFailure) {
  FakeSession session;
  EXPECT_THROW(session.run({"no-such-program-here"}), HarnessError);
}

}  // namespace
}  // namespace mskb
