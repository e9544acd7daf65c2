#include "loop_fixture.hpp"

namespace mskb::cudamaster {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(CudaMasterLoop, GoldenTranscript) {
  const optimizer::Submission submission = run(three_rounds());
  EXPECT_EQ(submission.id, "id of // second, speed=4");
  EXPECT_TRUE(chat->all_used());
  expect_golden("cudamaster/golden.txt", transcript_of(*chat, *harness));
}

TEST_F(CudaMasterLoop, PromptsHaveTheValuesThatAreSaidOfThem) {
  const TemporaryDirectory folder;
  prompts.check(prompt_values());
  prompts = full_prompts(folder.path(), prompt_values());
  EXPECT_EQ(run(three_rounds()).id, "id of // second, speed=4");
}

TEST_F(CudaMasterLoop, AsksInThisOrder) {
  run(three_rounds());
  EXPECT_THAT(harness->exchange,
              ElementsAre("evaluate // the original [] on paper with profile", "note the original: passed", "ask planner", "ask coder",
                          "ask compiler", "note options that may not be added were left out: -lcublas",
                          "evaluate // first, broken [--use_fast_math] on smoke", "note round 1: attempt 1 to repair",
                          "ask debugger", "evaluate // first, wrong [--use_fast_math] on smoke",
                          "note round 1: attempt 2 to repair", "ask debugger",
                          "evaluate // first, speed=1.5 [--use_fast_math] on smoke",
                          "evaluate // first, speed=1.5 [--use_fast_math] on paper with profile",
                          "note round 1: passed, score 1.500 [1.470, 1.530]", "ask planner", "ask coder",
                          "ask compiler", "evaluate // second, speed=4 [] on smoke",
                          "evaluate // second, speed=4 [] on paper with profile",
                          "note round 2: passed, score 4.000 [3.920, 4.080]", "ask planner", "ask coder",
                          "ask compiler", "evaluate // third, speed=2 [--maxrregcount=64] on smoke",
                          "evaluate // third, speed=2 [--maxrregcount=64] on paper with profile",
                          "note round 3: passed, score 2.000 [1.960, 2.040]",
                          "note submits id of // second, speed=4: passed, score 4.000 [3.920, 4.080]"));
}

TEST_F(CudaMasterLoop, OnTheCpuOnlySmokeIsAsked) {
  prepare(false);
  harness->profile.clear();
  EXPECT_EQ(run(three_rounds()).id, "id of // first, speed=1.5--use_fast_math")
      << "the first that was right: nothing is timed";
  EXPECT_THAT(harness->exchange, Not(Contains(HasSubstr("on paper"))));
  EXPECT_THAT(chat->told("planner"), HasSubstr("Only correctness is tested here"));
  EXPECT_THAT(chat->told("planner"), HasSubstr("There are no figures"));
  EXPECT_THAT(chat->told("planner"), Not(HasSubstr("which of the figures")));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("correct on all cases, not timed here"));
  EXPECT_THAT(chat->told("compiler"), HasSubstr("only -D has an effect here"));
}

TEST_F(CudaMasterLoop, ThePlannerSeesHistoryProfileAndTheBestKernel) {
  run(three_rounds());
  EXPECT_THAT(chat->told("planner", 0), HasSubstr("this is the first round"));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr(kernel("first, speed=1.5")));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("memory latency bound"));
  EXPECT_THAT(chat->told("planner", 2), HasSubstr(kernel("second, speed=4")));
  EXPECT_THAT(chat->told("planner", 2), HasSubstr("Unroll."));
  EXPECT_THAT(chat->told("planner", 2), HasSubstr("Round 1: options --use_fast_math; passed, score 1.500"));
  EXPECT_THAT(chat->told("planner", 2), HasSubstr("| paper/1 (size 3000) | 10.00 | 6.67; 1.500 [1.470, 1.530] | 2.50; 4.000 [3.920, 4.080] faster |"));
}

// The third round is slower than the second: the fourth starts from the second, and is told what the third lost.
TEST_F(CudaMasterLoop, TheBestVersionIsTheStartOfARound) {
  settings.rounds = 4;
  Answers answers = three_rounds();
  answers["planner"].push_back("Prefetch.");
  answers["coder"].push_back(fenced_kernel("fourth, speed=5"));
  answers["compiler"].push_back(no_flags);
  EXPECT_EQ(run(answers).id, "id of // fourth, speed=5");
  const std::string planner = chat->told("planner", 3), coder = chat->told("coder", 3);
  EXPECT_THAT(planner, HasSubstr("The kernel of round 2: the best correct version so far"));
  EXPECT_THAT(planner, HasSubstr(kernel("second, speed=4")));
  EXPECT_THAT(planner, Not(HasSubstr(kernel("third, speed=2"))));
  EXPECT_THAT(planner, HasSubstr("Round 3 was correct but no better (score 2.000 [1.960, 2.040] against 4.000 [3.920, 4.080]; of 2 sizes slower at 2, faster at 0"));
  EXPECT_THAT(planner, HasSubstr("Its plan:\nUse shared memory."));
  EXPECT_THAT(planner, HasSubstr("5.00; 2.000 [1.960, 2.040] slower |"));
  EXPECT_THAT(coder, HasSubstr("The kernel to start from (the kernel of round 2, the best correct version so far)"));
  EXPECT_THAT(coder, HasSubstr(kernel("second, speed=4")));
}

TEST_F(CudaMasterLoop, WhatIsSlowerThanTheOriginalIsNoStart) {
  settings.rounds = 2;
  EXPECT_EQ(run({{"planner", {"p", "q"}},
                 {"coder", {fenced_kernel("a, speed=0.5"), fenced_kernel("b, speed=0.4")}},
                 {"compiler", {"", ""}}})
                .id,
            "id of // a, speed=0.5");
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("The original: no version was correct and as fast as it.\nRound 1 was correct but no better"));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("It is the original."));
}

TEST_F(CudaMasterLoop, TheOriginalHasNoSpeedupOverItself) {
  run(three_rounds());
  EXPECT_THAT(chat->told("planner", 0), HasSubstr("| case | original, us |\n|---|---|\n| paper/0 (size 1000) | 10.00 |\n| paper/1 (size 3000) | 10.00 |\n"));
  EXPECT_THAT(chat->told("planner", 0), Not(HasSubstr("1.000")));
  EXPECT_THAT(chat->told("planner", 0), HasSubstr("A bare launch, of one kernel that does nothing, takes 0.50 us"));
  EXPECT_THAT(harness->exchange, Contains("note the original: passed"));
}

TEST_F(CudaMasterLoop, AProfileSaysOfWhichCaseItIs) {
  run(three_rounds());
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("Of one call of the case paper/1 (size 3000), by a profiler (a profiler)"));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("durations in it are not the times above"));
}

TEST_F(CudaMasterLoop, PlannerCoderAndCompilerSeeTheCompilersReport) {
  run(three_rounds());
  for (const char* agent : {"planner", "coder", "compiler"}) {
    EXPECT_THAT(chat->told(agent, 1), HasSubstr("- doubled_kernel: 32 registers, 1024 bytes of static shared memory")) << agent;
  }
}

TEST_F(CudaMasterLoop, RowsAreSpokenOfWhereThereAreSome) {
  run(three_rounds());
  EXPECT_THAT(chat->requests.front().messages[0].content, Not(HasSubstr("rows")));
  EXPECT_THAT(chat->told("planner"), Not(HasSubstr("unaligned rows")));
  prepare(true);
  start.signature[0].shape = {"N", "2"};
  run(three_rounds());
  EXPECT_THAT(chat->requests.front().messages[0].content, HasSubstr("rows that do not start at a vector's alignment"));
  EXPECT_THAT(chat->told("planner"), HasSubstr("tails and unaligned rows"));
}

TEST_F(CudaMasterLoop, TheDebuggerIsToldWhatFailed) {
  run(three_rounds());
  EXPECT_THAT(chat->told("debugger", 0), HasSubstr("more of the log"));
  EXPECT_THAT(chat->told("debugger", 0), HasSubstr(kernel("first, broken")));
  EXPECT_THAT(chat->told("debugger", 1),
              HasSubstr("- check/0 (size 1): mismatch: out[0]: got 0, want 2; out: elements never written: 1, not finite: 0\n"));
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
  const auto submission =
      run({{"planner", {"p"}},
           {"coder", {fenced_kernel("a, wrong")}},
           {"compiler", {no_flags}},
           {"debugger", {fenced_kernel("b, wrong"), fenced_kernel("c, wrong"), fenced_kernel("d")}}});
  EXPECT_EQ(submission.id, "");
  EXPECT_EQ(submission.reason, "no version was correct");
  EXPECT_EQ(chat->asked("debugger"), 2u);
}

TEST_F(CudaMasterLoop, ProfileNoneAsksForNoneAndShowsResources) {
  settings.profile = false;
  run(three_rounds());
  EXPECT_THAT(harness->exchange, Not(Contains(HasSubstr("with profile"))));
  EXPECT_THAT(
      chat->told("planner", 1),
      AllOf(HasSubstr("There is none (switched off).\n"), HasSubstr("What the compiler said of it\n- doubled_kernel: 32 registers")));
  EXPECT_THAT(chat->told("planner", 1), Not(HasSubstr("memory latency bound")));
}

TEST_F(CudaMasterLoop, WhereNoProfileComesTheReasonIsTold) {
  prepare(true);
  harness->profile.clear();
  run(three_rounds());
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("There is none (counters are denied)"));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("32 registers"));
  EXPECT_THAT(chat->told("planner", 1), HasSubstr("| paper/0 (size 1000) |"));
}

}  // namespace
}  // namespace mskb::cudamaster
