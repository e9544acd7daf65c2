#include "astra/loop.hpp"

#include <gmock/gmock.h>

#include "common/exchange_chat.hpp"
#include "scripted_session.hpp"

namespace mskb::astra {
namespace {

using namespace test;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Answers = std::map<std::string, std::deque<std::string>>;

class AstraLoop : public ::testing::Test {
 protected:
  void prepare(bool timed, double evaluations = 20) {
    start = start_of_test(timed);
    start.budget.evaluations = evaluations;
    harness = std::make_unique<FakeHarness>(start);
  }
  optimizer::Submission run(const Answers& answers) {
    if (!harness) {
      prepare(true);
    }
    chat = std::make_unique<ScriptedChat>(answers, *harness);
    agents::Agents agents(*chat, *harness, prompts, {"a-model", {}, {}}, start.budget);
    return Loop(start, *harness, agents, settings).run();
  }

  agents::Prompts prompts{MSKB_SOURCE_DIR "/optimizers/astra/prompts"};
  Settings settings;
  optimizer::Start start;
  std::unique_ptr<FakeHarness> harness;
  std::unique_ptr<ScriptedChat> chat;
};

const char* const small_tests = "[{\"dims\": {\"N\": 1}}, {\"dims\": {\"N\": 33}}]";
const char* const large_tests = "[{\"dims\": {\"N\": 4000}}]";

// Five rounds: right, broken, mended and faster, without code, slower.
Answers five_rounds() {
  return {{"testing", {small_tests}},
          {"profiling", {"It is slow.", "A little faster.", "Much faster."}},
          {"planning", {"Vectorize.", "Use shared memory.", "Correct the name.", "Unroll.", "Use larger blocks."}},
          {"coding",
           {fenced_kernel("one, speed=1.5"), fenced_kernel("two, broken"), fenced_kernel("three, speed=3"), "No.",
            fenced_kernel("five, speed=2")}}};
}

TEST_F(AstraLoop, GoldenTranscript) {
  EXPECT_EQ(run(five_rounds()).id, "id of // three, speed=3");
  EXPECT_TRUE(chat->all_used());
  expect_golden("astra/golden.txt", transcript_of(*chat, *harness));
}

TEST_F(AstraLoop, PromptsHaveTheValuesThatAreSaidOfThem) {
  const TemporaryDirectory folder;
  prompts.check(prompt_values());
  prompts = full_prompts(folder.path(), prompt_values());
  EXPECT_EQ(run(five_rounds()).id, "id of // three, speed=3");
}

TEST_F(AstraLoop, AsksInThisOrder) {
  run(five_rounds());
  std::vector<std::string> messages;
  for (const std::string& line : harness->exchange) {
    if (!line.starts_with("note")) {
      messages.push_back(line);
    }
  }
  EXPECT_THAT(
      messages,
      ElementsAre("ask testing", "evaluate // the original [] on paper", "ask profiling", "ask planning", "ask coding",
                  "evaluate // one, speed=1.5 [] on smoke", "evaluate // one, speed=1.5 [] on paper", "ask profiling",
                  "ask planning", "ask coding", "evaluate // two, broken [] on smoke", "ask planning", "ask coding",
                  "evaluate // three, speed=3 [] on smoke", "evaluate // three, speed=3 [] on paper", "ask profiling",
                  "ask planning", "ask coding", "ask planning", "ask coding", "evaluate // five, speed=2 [] on smoke",
                  "evaluate // five, speed=2 [] on paper"));
}

TEST_F(AstraLoop, NoProfileIsAskedFor) {
  run(five_rounds());
  EXPECT_THAT(harness->exchange, Not(Contains(HasSubstr("with profile"))));
}

TEST_F(AstraLoop, PlanningWorksFromThePreviousRoundsCodeThoughItFailed) {
  run(five_rounds());
  EXPECT_THAT(chat->told("planning", 0), HasSubstr("It is the original, which is right."));
  EXPECT_THAT(chat->told("planning", 1), HasSubstr(kernel("one, speed=1.5")));
  EXPECT_THAT(chat->told("planning", 1), HasSubstr("A little faster."));
  EXPECT_THAT(chat->told("planning", 1), HasSubstr("| score | | 1.500 [1.470, 1.530] |\n"));
  EXPECT_THAT(chat->told("planning", 2), HasSubstr(kernel("two, broken")));
  EXPECT_THAT(chat->told("planning", 2), HasSubstr("more of the log"));
  EXPECT_THAT(chat->told("planning", 4), HasSubstr(kernel("three, speed=3")));
  EXPECT_THAT(chat->told("planning", 4), HasSubstr("Round 4 gave no new code: the answer of the coding agent could not be used"));
  EXPECT_THAT(chat->told("planning", 4), HasSubstr("Round 2: build_failed: kernel.cu:1: error: broken\nIts plan:\nUse shared memory."));
}

TEST_F(AstraLoop, AsksForNoProfileAfterItsLastRound) {
  run(five_rounds());
  EXPECT_EQ(chat->asked("profiling"), 3u) << "the original, round 1 and round 3; round 5 is the last";
  EXPECT_EQ(harness->exchange.back(), "note submits id of // three, speed=3: passed, score 3.000 [2.940, 3.060]");
}

TEST_F(AstraLoop, TheTestingAgentsListReachesTheFirstRound) {
  run(five_rounds());
  for (const char* agent : {"planning", "coding"}) {
    EXPECT_THAT(chat->told(agent, 0), HasSubstr("- {\"dims\":{\"N\":1}}\n- {\"dims\":{\"N\":33}}\n")) << agent;
  }
}

TEST_F(AstraLoop, TheProfilingAgentSeesEarlierRounds) {
  run(five_rounds());
  EXPECT_THAT(chat->told("profiling", 0), HasSubstr("| paper/0 (size 1000) | 10.00 |\n"));
  EXPECT_THAT(chat->told("profiling", 0), Not(HasSubstr("1.000")));
  EXPECT_THAT(chat->told("profiling", 2), HasSubstr("The code (round 3)"));
  EXPECT_THAT(chat->told("profiling", 2), HasSubstr("| case | original, us | round 1 | round 3 |"));
  EXPECT_THAT(chat->told("profiling", 2), HasSubstr("| 6.67; 1.500 [1.470, 1.530] | 3.33; 3.000 [2.940, 3.060] faster |"));
}

// What is correct and slower gives way to the best; what failed stays, to be corrected.
TEST_F(AstraLoop, TheBestVersionIsTheStartOfARound) {
  settings.rounds = 4;
  EXPECT_EQ(run({{"testing", {small_tests}},
                 {"profiling", {"p0", "It waits for memory.", "p2", "p3"}},
                 {"planning", {"Vectorize.", "Unroll by 32.", "r", "s"}},
                 {"coding", {fenced_kernel("one, speed=3"), fenced_kernel("two, speed=2"), fenced_kernel("three, wrong"), fenced_kernel("four")}}})
                .id,
            "id of // one, speed=3");
  const std::string third = chat->told("planning", 2);
  EXPECT_THAT(third, HasSubstr("The code of round 1, the best correct version so far.\nRound 2 was correct but no better (score 2.000"));
  EXPECT_THAT(third, HasSubstr(kernel("one, speed=3")));
  EXPECT_THAT(third, Not(HasSubstr(kernel("two, speed=2"))));
  EXPECT_THAT(third, HasSubstr("Its plan:\nUnroll by 32."));
  EXPECT_THAT(chat->told("coding", 2), HasSubstr(kernel("one, speed=3")));
  EXPECT_THAT(chat->told("planning", 3), HasSubstr(kernel("three, wrong")));
  EXPECT_THAT(chat->told("planning", 3), HasSubstr("The code of round 3, which failed and has to be corrected. The best correct version so far is "
                                                   "that of round 1: passed, score 3.000"));
}

TEST_F(AstraLoop, NothingIsPrintedTwice) {
  run(five_rounds());
  for (const char* text : {"It is slow.", "A little faster.", "Much faster."}) {
    for (std::size_t round = 0; round < chat->asked("planning"); ++round) {
      const std::string told = chat->told("planning", round);
      const std::size_t at = told.find(text);
      EXPECT_TRUE(at == std::string::npos || told.find(text, at + 1) == std::string::npos) << text << round;
    }
  }
}

TEST_F(AstraLoop, TestsOfRealSizesAreRunAtTheScoredOnes) {
  Answers answers = five_rounds();
  answers["testing"] = {large_tests};
  EXPECT_EQ(run(answers).id, "id of // three, speed=3");
  EXPECT_THAT(harness->exchange, Not(Contains(HasSubstr("on smoke"))));
  EXPECT_THAT(harness->exchange,
              Contains("note 1 tests wanted; the nearest size set is paper\n- {\"dims\":{\"N\":4000}}\n"));
}

TEST_F(AstraLoop, WithoutTimesNobodyIsAskedToReadThem) {
  prepare(false);
  Answers answers = five_rounds();
  answers["testing"] = {large_tests};
  EXPECT_EQ(run(answers).id, "id of // one, speed=1.5") << "the first that was right";
  EXPECT_EQ(chat->asked("profiling"), 0u);
  EXPECT_THAT(harness->exchange, Not(Contains(HasSubstr("on paper")))) << "the CPU backend is asked for smoke sizes";
}

TEST_F(AstraLoop, RoundsAreAsManyAsSaid) {
  settings = settings_from({{"rounds", "1"}});
  EXPECT_EQ(run(five_rounds()).id, "id of // one, speed=1.5");
  EXPECT_EQ(chat->asked("planning"), 1u);
  EXPECT_EQ(settings_from({}).rounds, 5);
  EXPECT_THROW(settings_from({{"rounds", "none"}}), std::invalid_argument);
}

TEST_F(AstraLoop, TheSameCodeIsNotEvaluatedAgain) {
  settings.rounds = 2;
  EXPECT_EQ(run({{"testing", {""}},
                 {"profiling", {"", ""}},
                 {"planning", {"", "q"}},
                 {"coding", {fenced_kernel("a"), fenced_kernel("a")}}})
                .id,
            "id of // a");
  EXPECT_EQ(std::count(harness->exchange.begin(), harness->exchange.end(), "evaluate // a [] on smoke"), 1);
  EXPECT_THAT(harness->exchange, Contains("note round 2: the same code as in round 1"));
}

TEST_F(AstraLoop, NothingRightSubmitsNothing) {
  settings.rounds = 3;
  const auto submission = run({{"testing", {""}},
                               {"profiling", {""}},
                               {"planning", {"p", "q", "r"}},
                               {"coding", {fenced_kernel("wrong"), fenced_kernel("odd"), fenced_kernel("late")}}});
  EXPECT_EQ(submission.id, "");
  EXPECT_EQ(submission.reason, "no version was correct");
  EXPECT_THAT(chat->told("planning", 1), HasSubstr("out[0]: got 0, want 2"));
  EXPECT_THAT(chat->told("planning", 2), HasSubstr("The harness refused it: the file is odd"));
}

TEST_F(AstraLoop, ABudgetMayEndAnywhere) {
  const std::vector<std::string> best = {"",
                                         "",
                                         "id of // one, speed=1.5",
                                         "id of // one, speed=1.5",
                                         "id of // one, speed=1.5",
                                         "id of // one, speed=1.5",
                                         "id of // three, speed=3"};
  for (std::size_t evaluations = 0; evaluations < best.size(); ++evaluations) {
    prepare(true, static_cast<double>(evaluations));
    const auto submission = run(five_rounds());
    EXPECT_EQ(submission.id, best[evaluations]) << evaluations;
    EXPECT_EQ(submission.id.empty(), !submission.reason.empty()) << evaluations;
  }
}

TEST_F(AstraLoop, WithoutAModelTheBestSoFarIsSubmitted) {
  const std::vector<std::tuple<std::string, std::size_t, std::string>> places = {
      {"testing", 0, ""},
      {"profiling", 0, ""},
      {"planning", 0, ""},
      {"coding", 0, ""},
      {"profiling", 1, "id of // one, speed=1.5"},
      {"planning", 1, "id of // one, speed=1.5"},
      {"coding", 4, "id of // three, speed=3"}};
  for (const auto& [agent, number, expected] : places) {
    prepare(true);
    Answers answers = five_rounds();
    answers[agent][number] = "FAIL the server said 401";
    EXPECT_EQ(run(answers).id, expected) << agent << number;
  }
}

TEST_F(AstraLoop, AnAwaitedAnswerSubmitsNothing) {
  struct Awaiting : agents::Chat {
    agents::ChatAnswer ask(const agents::ChatRequest&) override { throw agents::AnswerAwaited("not there yet", "0001-coder.request.json"); }
  } awaiting;
  prepare(true);
  agents::Agents agents(awaiting, *harness, prompts, {}, start.budget);
  EXPECT_THROW(Loop(start, *harness, agents, settings).run(), optimizer::Suspended);
}

}  // namespace
}  // namespace mskb::astra
