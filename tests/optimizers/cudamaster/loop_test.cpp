#include "cudamaster/loop.hpp"

#include <gmock/gmock.h>

#include "common/exchange_chat.hpp"
#include "scripted_session.hpp"

namespace mskb::cudamaster {
namespace {

using namespace test;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Answers = std::map<std::string, std::deque<std::string>>;

class CudaMasterLoop : public ::testing::Test {
 protected:
  void prepare(bool timed) {
    start = start_of_test(timed);
    harness = std::make_unique<FakeHarness>(start);
  }
  optimizer::Submission run(const Answers& answers) {
    if (!harness) {
      prepare(true);
    }
    chat = std::make_unique<ScriptedChat>(answers, *harness);
    agents::Agents agents(*chat, *harness, prompts, manner, start.budget);
    return Loop(start, *harness, agents, settings).run();
  }

  const agents::Prompts prompts{MSKB_SOURCE_DIR "/optimizers/cudamaster/prompts"};
  agents::Manner manner{"a-model", 0.5, {}};
  Settings settings;
  optimizer::Start start;
  std::unique_ptr<FakeHarness> harness;
  std::unique_ptr<ScriptedChat> chat;
};

const std::string no_flags = "```\n```\n";

// Three rounds: one that is repaired twice, one that is at once right, one slower.
Answers three_rounds() {
  return {{"planner", {"Unroll.", "Use float4.", "Use shared memory."}},
          {"coder", {fenced_kernel("first, broken"), fenced_kernel("second, speed=4"), fenced_kernel("third, speed=2")}},
          {"compiler", {"`--use_fast_math` and `-lcublas`", no_flags, "```\n--maxrregcount=64\n```"}},
          {"debugger", {fenced_kernel("first, wrong"), fenced_kernel("first, speed=1.5")}}};
}

TEST_F(CudaMasterLoop, GoldenTranscript) {
  const optimizer::Submission submission = run(three_rounds());
  EXPECT_EQ(submission.id, "id of // second, speed=4");
  EXPECT_TRUE(chat->all_used());
  expect_golden("cudamaster/golden.txt", transcript_of(*chat, *harness));
}

TEST_F(CudaMasterLoop, AsksInThisOrder) {
  run(three_rounds());
  EXPECT_THAT(harness->exchange,
              ElementsAre("evaluate // the original [] on smoke with profile", "note the original: passed, 9.000 times as fast as the original",
                          "ask planner", "ask coder", "ask compiler", "note options that may not be added were left out: -lcublas",
                          "evaluate // first, broken [--use_fast_math] on smoke", "note round 1: attempt 1 to repair", "ask debugger",
                          "evaluate // first, wrong [--use_fast_math] on smoke", "note round 1: attempt 2 to repair", "ask debugger",
                          "evaluate // first, speed=1.5 [--use_fast_math] on smoke",
                          "evaluate // first, speed=1.5 [--use_fast_math] on paper with profile",
                          "note round 1: passed, 1.500 times as fast as the original", "ask planner", "ask coder", "ask compiler",
                          "evaluate // second, speed=4 [] on smoke", "evaluate // second, speed=4 [] on paper with profile",
                          "note round 2: passed, 4.000 times as fast as the original", "ask planner", "ask coder", "ask compiler",
                          "evaluate // third, speed=2 [--maxrregcount=64] on smoke",
                          "evaluate // third, speed=2 [--maxrregcount=64] on paper with profile",
                          "note round 3: passed, 2.000 times as fast as the original",
                          "note submits id of // second, speed=4: passed, 4.000 times as fast as the original"));
}

TEST_F(CudaMasterLoop, OnTheCpuOnlySmokeIsAsked) {
  prepare(false);
  EXPECT_EQ(run(three_rounds()).id, "id of // first, speed=1.5--use_fast_math") << "the first that was right: nothing is timed";
  EXPECT_THAT(harness->exchange, Not(Contains(HasSubstr("on paper"))));
  EXPECT_THAT(chat->told("planner"), HasSubstr("No GPU"));
}

TEST_F(CudaMasterLoop, ThePlannerSeesHistoryProfileAndThePreviousRoundsKernel) {
  run(three_rounds());
  EXPECT_THAT(chat->told("planner", 0), HasSubstr("this is the first round"));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr(kernel("first, speed=1.5")));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("memory latency bound"));
  EXPECT_THAT(chat->told("planner", 1), Not(HasSubstr("a metric")));
  EXPECT_THAT(chat->told("planner", 2), HasSubstr(kernel("second, speed=4")));
  EXPECT_THAT(chat->told("planner", 2), HasSubstr("Unroll."));
  EXPECT_THAT(chat->told("planner", 2), HasSubstr("Round 1: options --use_fast_math; passed, 1.500 times"));
  EXPECT_THAT(chat->told("planner", 2), HasSubstr("paper 3000: 2.50 us, original 10.00 us, speedup 4.000"));
}

TEST_F(CudaMasterLoop, TheDebuggerIsToldWhatFailed) {
  run(three_rounds());
  EXPECT_THAT(chat->told("debugger", 0), HasSubstr("more of the log"));
  EXPECT_THAT(chat->told("debugger", 0), HasSubstr(kernel("first, broken")));
  EXPECT_THAT(chat->told("debugger", 1), HasSubstr("out: 4 of 10 checked elements wrong, 1 never written"));
  EXPECT_THAT(chat->told("debugger", 1), HasSubstr("--use_fast_math"));
}

TEST_F(CudaMasterLoop, NotesHoldEachRequestAndAnswer) {
  run(three_rounds());
  std::size_t number = 0;
  for (const optimizer::Note& note : harness->notes) {
    if (note.role == "loop") {
      continue;
    }
    const agents::ChatRequest& request = chat->requests.at(number++);
    EXPECT_EQ(note.role, request.agent);
    EXPECT_EQ(note.model, "a-model-1");
    EXPECT_EQ(note.input_tokens, 100);
    EXPECT_EQ(note.cost, std::nullopt) << "unknown is not zero";
    EXPECT_EQ(note.more.at("request"), agents::one_line(agents::request_json(request)));
    EXPECT_EQ(note.more.at("prompts"), "\"" + prompts.version() + "\"");
    EXPECT_TRUE(nlohmann::json::parse(note.more.at("answer")).at("text").is_string());
  }
  EXPECT_EQ(number, chat->requests.size());
  EXPECT_EQ(chat->requests.front().model, "a-model");
  EXPECT_EQ(chat->requests.front().temperature, 0.5);
}

TEST_F(CudaMasterLoop, WithoutDebuggingAFailedRoundIsLost) {
  settings.debug = 0;
  Answers answers = three_rounds();
  answers.erase("debugger");
  EXPECT_EQ(run(answers).id, "id of // second, speed=4");
  EXPECT_EQ(chat->asked("debugger"), 0u);
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("It is the original."));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("build_failed: kernel.cu:1: error: broken"));
}

TEST_F(CudaMasterLoop, RoundsAreAsManyAsSaid) {
  settings.rounds = 1;
  EXPECT_EQ(run(three_rounds()).id, "id of // first, speed=1.5--use_fast_math");
  EXPECT_EQ(chat->asked("planner"), 1u);
}

TEST_F(CudaMasterLoop, AtMostDAttemptsAreMade) {
  settings.rounds = 1;
  settings.debug = 2;
  const auto submission = run({{"planner", {"p"}},
                               {"coder", {fenced_kernel("a, wrong")}},
                               {"compiler", {no_flags}},
                               {"debugger", {fenced_kernel("b, wrong"), fenced_kernel("c, wrong"), fenced_kernel("d")}}});
  EXPECT_EQ(submission.id, "");
  EXPECT_EQ(submission.reason, "no version was correct");
  EXPECT_EQ(chat->asked("debugger"), 2u);
}

TEST_F(CudaMasterLoop, ProfileNoneAsksForNoneAndShowsResources) {
  settings.profile = ProfileMode::none;
  run(three_rounds());
  EXPECT_THAT(harness->exchange, Not(Contains(HasSubstr("with profile"))));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("There is none (switched off). The compiler's resources instead:\n- doubled_kernel: 32 registers"));
  EXPECT_THAT(chat->told("planner", 1), Not(HasSubstr("memory latency bound")));
}

TEST_F(CudaMasterLoop, ProfileFullShowsEveryMetric) {
  settings.profile = ProfileMode::full;
  run(three_rounds());
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("\"another\": 2"));
  EXPECT_THAT(chat->told("planner", 1), Not(HasSubstr("memory latency bound")));
}

TEST_F(CudaMasterLoop, WhereNoProfileComesTheReasonIsTold) {
  prepare(true);
  harness->profile.clear();
  run(three_rounds());
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("There is none (counters are denied)"));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("32 registers"));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("paper 1000:"));
}

// One round whose coder answers something unusable; the debugger mends it.
class UnusableAnswer : public CudaMasterLoop {
 protected:
  void mended(const std::string& answer, const std::string& told) {
    settings.rounds = 1;
    const auto submission = run({{"planner", {"p"}}, {"coder", {answer}}, {"debugger", {fenced_kernel("mended, speed=2")}}});
    EXPECT_EQ(submission.id, "id of // mended, speed=2") << submission.reason;
    EXPECT_THAT(chat->told("debugger"), HasSubstr(told));
    EXPECT_THAT(chat->told("debugger"), HasSubstr("There is none yet."));
  }
};
TEST_F(UnusableAnswer, Empty) { mended("", "the answer holds no code"); }
TEST_F(UnusableAnswer, WithoutCode) { mended("I would rather not.", "the answer holds no code"); }
TEST_F(UnusableAnswer, CutOff) { mended("```cuda\nextern \"C\" void doubled(const float* in) {\nCUT", "ended at the limit of output tokens"); }
TEST_F(UnusableAnswer, WithTwoOtherEntryPoints) {
  mended("```cuda\nextern \"C\" void one() {}\nextern \"C\" void two() {}\n```", "no code block defines the function doubled (found: one, two)");
}

TEST_F(CudaMasterLoop, ASingleWrongEntryNameIsCorrected) {
  settings.rounds = 1;
  const auto submission = run({{"planner", {"p"}},
                               {"coder", {"```cuda\n// named\nextern \"C\" void twice(const float* in, float* out, int N) {}\n```"}},
                               {"compiler", {""}}});
  EXPECT_EQ(submission.id, "id of // named");
  EXPECT_THAT(harness->exchange, Contains("note renamed twice to doubled"));
}

TEST_F(CudaMasterLoop, AnEmptyPlanDoesNotEndIt) {
  settings.rounds = 1;
  EXPECT_EQ(run({{"planner", {" \n"}}, {"coder", {fenced_kernel("a")}}, {"compiler", {""}}}).id, "id of // a");
  EXPECT_THAT(chat->told("coder"), HasSubstr("as you see fit"));
}

TEST_F(CudaMasterLoop, AnUnusableRepairCostsAnAttemptAndKeepsTheVersion) {
  settings.rounds = 1;
  const auto submission = run({{"planner", {"p"}},
                               {"coder", {fenced_kernel("a, wrong")}},
                               {"compiler", {""}},
                               {"debugger", {"", fenced_kernel("a, wrong"), fenced_kernel("c")}}});
  EXPECT_EQ(submission.id, "id of // c");
  EXPECT_THAT(chat->told("debugger", 1), HasSubstr("The last repair could not be used: the answer holds no code"));
  EXPECT_THAT(chat->told("debugger", 1), HasSubstr(kernel("a, wrong")));
  EXPECT_THAT(chat->told("debugger", 2), HasSubstr("The last repair was the same text again."));
  EXPECT_EQ(std::count(harness->exchange.begin(), harness->exchange.end(), "evaluate // a, wrong [] on smoke"), 1);
}

TEST_F(CudaMasterLoop, TheSameKernelIsEvaluatedOnce) {
  settings.rounds = 2;
  const auto submission = run({{"planner", {"p", "q"}}, {"coder", {fenced_kernel("a, speed=2"), fenced_kernel("a, speed=2")}}, {"compiler", {"", ""}}});
  EXPECT_EQ(submission.id, "id of // a, speed=2");
  EXPECT_EQ(std::count(harness->exchange.begin(), harness->exchange.end(), "evaluate // a, speed=2 [] on smoke"), 1);
  EXPECT_THAT(harness->exchange, Contains("note the same kernel as before is not evaluated again"));
}

TEST_F(CudaMasterLoop, AFailureAtScoredSizesIsDebuggedToo) {
  settings.rounds = 1;
  EXPECT_EQ(run({{"planner", {"p"}}, {"coder", {fenced_kernel("late")}}, {"compiler", {""}}, {"debugger", {fenced_kernel("b")}}}).id, "id of // b");
}

TEST_F(CudaMasterLoop, WhatTheHarnessRefusesIsDebuggedToo) {
  settings.rounds = 1;
  EXPECT_EQ(run({{"planner", {"p"}}, {"coder", {fenced_kernel("odd")}}, {"compiler", {""}}, {"debugger", {fenced_kernel("b")}}}).id, "id of // b");
  EXPECT_THAT(chat->told("debugger"), HasSubstr("The harness refused it: the file is odd"));
}

TEST_F(CudaMasterLoop, WhatTheCpuCannotJudgeIsDebuggedThere) {
  prepare(false);
  settings.rounds = 1;
  EXPECT_EQ(run({{"planner", {"p"}}, {"coder", {fenced_kernel("unsupported")}}, {"compiler", {""}}, {"debugger", {fenced_kernel("b")}}}).id,
            "id of // b");
  EXPECT_THAT(chat->told("debugger"), HasSubstr("the CPU backend lacks inline PTX"));
}

// Stopped by the evaluations after each possible number of them: the best so far is submitted, and nothing more is paid for.
TEST_F(CudaMasterLoop, ABudgetMayEndAnywhere) {
  const std::vector<std::string> best = {"", "", "", "", "id of // first, speed=1.5--use_fast_math", "id of // first, speed=1.5--use_fast_math",
                                         "id of // first, speed=1.5--use_fast_math", "id of // second, speed=4", "id of // second, speed=4",
                                         "id of // second, speed=4"};
  for (std::size_t evaluations = 0; evaluations < best.size(); ++evaluations) {
    start = start_of_test(true);
    start.budget.evaluations = static_cast<double>(evaluations);
    harness = std::make_unique<FakeHarness>(start);
    const auto submission = run(three_rounds());
    EXPECT_EQ(submission.id, best[evaluations]) << evaluations;
    EXPECT_EQ(submission.id.empty(), !submission.reason.empty()) << evaluations;
  }
}

TEST_F(CudaMasterLoop, NoRoundBeginsWithoutAnEvaluationLeft) {
  start = start_of_test(true);
  start.budget.evaluations = 5;
  harness = std::make_unique<FakeHarness>(start);
  run(three_rounds());
  EXPECT_EQ(chat->asked("planner"), 1u);
}

TEST_F(CudaMasterLoop, TokensThatAreSpentEndIt) {
  start = start_of_test(true);
  start.budget.tokens = 700;  // 110 a request
  harness = std::make_unique<FakeHarness>(start);
  EXPECT_EQ(run(three_rounds()).id, "id of // first, speed=1.5--use_fast_math");
  EXPECT_EQ(chat->requests.size(), 7u);
}

// A request fails for good, at each place of the loop.
TEST_F(CudaMasterLoop, WithoutAModelTheBestSoFarIsSubmitted) {
  const std::vector<std::pair<std::string, std::size_t>> places = {{"planner", 0}, {"coder", 0}, {"compiler", 0}, {"debugger", 0}, {"debugger", 1},
                                                                   {"planner", 1}, {"coder", 1}, {"compiler", 1}, {"planner", 2}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [agent, number] = places[i];
    prepare(true);
    Answers answers = three_rounds();
    answers[agent][number] = "FAIL the server said 401";
    const auto submission = run(answers);
    const std::string expected = i < 5 ? "" : i < 8 ? "id of // first, speed=1.5--use_fast_math" : "id of // second, speed=4";
    EXPECT_EQ(submission.id, expected) << agent << number;
    if (expected.empty()) {
      EXPECT_EQ(submission.reason, "the server said 401");
    }
    std::vector<std::string> texts;
    for (const optimizer::Note& note : harness->notes) {
      texts.push_back(note.text);
    }
    EXPECT_THAT(texts, Contains("no answer: the server said 401"));
  }
}

// An exchange that waits no longer: nothing is submitted, so that the session can be led again when the answer is there.
TEST_F(CudaMasterLoop, AnAwaitedAnswerSubmitsNothing) {
  struct Awaiting : agents::Chat {
    agents::ChatAnswer ask(const agents::ChatRequest&) override { throw agents::AnswerAwaited("not there yet"); }
  } awaiting;
  prepare(true);
  agents::Agents agents(awaiting, *harness, prompts, manner, start.budget);
  EXPECT_THROW(Loop(start, *harness, agents, settings).run(), agents::AnswerAwaited);
}

}  // namespace
}  // namespace mskb::cudamaster
