#include "common/exchange_chat.hpp"
#include "loop_fixture.hpp"

namespace mskb::cudamaster {
namespace {

using namespace test;
using ::testing::Contains;
using ::testing::HasSubstr;

// One round whose coder answers something unusable; the debugger mends it.
class UnusableAnswer : public CudaMasterLoop {
 protected:
  void mended(const std::string& answer, const std::string& told) {
    settings.rounds = 1;
    const auto submission =
        run({{"planner", {"p"}}, {"coder", {answer}}, {"debugger", {fenced_kernel("mended, speed=2")}}});
    EXPECT_EQ(submission.id, "id of // mended, speed=2") << submission.reason;
    EXPECT_THAT(chat->told("debugger"), HasSubstr(told));
    EXPECT_THAT(chat->told("debugger"), HasSubstr("There is none yet."));
  }
};
TEST_F(UnusableAnswer, Empty) { mended("", "the answer holds no code"); }
TEST_F(UnusableAnswer, WithoutCode) { mended("I would rather not.", "the answer holds no code"); }
TEST_F(UnusableAnswer, CutOff) {
  mended("```cuda\nextern \"C\" void doubled(const float* in) {\nCUT", "ended at the limit of output tokens");
}
TEST_F(UnusableAnswer, WithTwoOtherEntryPoints) {
  mended("```cuda\nextern \"C\" void one() {}\nextern \"C\" void two() {}\n```",
         "no code block defines the function doubled (found: one, two)");
}

TEST_F(CudaMasterLoop, ASingleWrongEntryNameIsCorrected) {
  settings.rounds = 1;
  const auto submission =
      run({{"planner", {"p"}},
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
  const auto submission = run({{"planner", {"p", "q"}},
                               {"coder", {fenced_kernel("a, speed=2"), fenced_kernel("a, speed=2")}},
                               {"compiler", {"", ""}}});
  EXPECT_EQ(submission.id, "id of // a, speed=2");
  EXPECT_EQ(std::count(harness->exchange.begin(), harness->exchange.end(), "evaluate // a, speed=2 [] on smoke"), 1);
  EXPECT_THAT(harness->exchange, Contains("note the same kernel as before is not evaluated again"));
}

TEST_F(CudaMasterLoop, AFailureAtScoredSizesIsDebuggedToo) {
  settings.rounds = 1;
  EXPECT_EQ(run({{"planner", {"p"}},
                 {"coder", {fenced_kernel("late")}},
                 {"compiler", {""}},
                 {"debugger", {fenced_kernel("b")}}})
                .id,
            "id of // b");
}

TEST_F(CudaMasterLoop, WhatTheHarnessRefusesIsDebuggedToo) {
  settings.rounds = 1;
  EXPECT_EQ(run({{"planner", {"p"}},
                 {"coder", {fenced_kernel("odd")}},
                 {"compiler", {""}},
                 {"debugger", {fenced_kernel("b")}}})
                .id,
            "id of // b");
  EXPECT_THAT(chat->told("debugger"), HasSubstr("The harness refused it: the file is odd"));
}

TEST_F(CudaMasterLoop, WhatTheCpuCannotJudgeIsDebuggedThere) {
  prepare(false);
  settings.rounds = 1;
  EXPECT_EQ(run({{"planner", {"p"}},
                 {"coder", {fenced_kernel("unsupported")}},
                 {"compiler", {""}},
                 {"debugger", {fenced_kernel("b")}}})
                .id,
            "id of // b");
  EXPECT_THAT(chat->told("debugger"), HasSubstr("the CPU backend lacks inline PTX"));
}

// Stopped by the evaluations after each possible number of them: the best so far is submitted, and nothing more is paid
// for.
TEST_F(CudaMasterLoop, ABudgetMayEndAnywhere) {
  const std::vector<std::string> best = {"",
                                         "",
                                         "",
                                         "",
                                         "id of // first, speed=1.5--use_fast_math",
                                         "id of // first, speed=1.5--use_fast_math",
                                         "id of // first, speed=1.5--use_fast_math",
                                         "id of // second, speed=4",
                                         "id of // second, speed=4",
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
  const std::vector<std::pair<std::string, std::size_t>> places = {{"planner", 0},  {"coder", 0},    {"compiler", 0},
                                                                   {"debugger", 0}, {"debugger", 1}, {"planner", 1},
                                                                   {"coder", 1},    {"compiler", 1}, {"planner", 2}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [agent, number] = places[i];
    prepare(true);
    Answers answers = three_rounds();
    answers[agent][number] = "FAIL the server said 401";
    const auto submission = run(answers);
    const std::string expected = i < 5   ? ""
                                 : i < 8 ? "id of // first, speed=1.5--use_fast_math"
                                         : "id of // second, speed=4";
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

// An exchange that waits no longer: nothing is submitted, so that the session can be led again when the answer is
// there.
TEST_F(CudaMasterLoop, AnAwaitedAnswerSubmitsNothing) {
  struct Awaiting : agents::Chat {
    agents::ChatAnswer ask(const agents::ChatRequest&) override { throw agents::AnswerAwaited("not there yet", "0001-coder.request.json"); }
  } awaiting;
  prepare(true);
  agents::Agents agents(awaiting, *harness, prompts, manner, start.budget);
  EXPECT_THROW(Loop(start, *harness, agents, settings).run(), optimizer::Suspended);
}

}  // namespace
}  // namespace mskb::cudamaster
