#include <gmock/gmock.h>

#include <algorithm>

#include "campaign_fixture.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using test::campaign_answer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Lockstep : public test::CampaignFixture {
 protected:
  SubprocessResult step(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"--optimizer", "cudamaster", "--step", "--option", "provider=exchange", "--option", "settle_s=0",
                                   "--option", "model=nobody", "--option", "rounds=1"};
    words.insert(words.end(), more.begin(), more.end());
    return optimize(run(), words);
  }
  // Answers what the run waits for; how many there were.
  std::size_t answer() {
    const Json waiting = Json::parse(read_file(run() / "waiting.json"));
    for (const Json& each : waiting) {
      std::string file = (run() / each.at("awaits").get<std::string>()).string();
      const std::string agent = Json::parse(read_file(file)).at("agent").get<std::string>();
      file.replace(file.find(".request.json"), std::string::npos, ".answer.md");
      write_file_atomically(file, campaign_answer(agent, each.at("problem") == "silu_and_mul/bf16"));
    }
    return waiting.size();
  }
  fs::path run() const { return folder_.path() / "run"; }
};

TEST_F(Lockstep, EvaluationsAndAnswersAlternate) {
  std::vector<std::size_t> evaluated;
  for (std::size_t i = 0; i < 4; ++i) {
    const SubprocessResult result = step();
    ASSERT_EQ(result.exit_code, 4) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("2 of 2 sessions wait for answers"));
    EXPECT_TRUE(read_run(run()).evaluations.empty());
    evaluated.push_back(verdicts(transcript(run(), "fp32")).size());
    const SubprocessResult again = step();
    EXPECT_EQ(again.exit_code, 4) << "nothing was answered meanwhile";
    EXPECT_EQ(verdicts(transcript(run(), "fp32")).size(), evaluated.back());
    ASSERT_EQ(answer(), 2u);
  }
  EXPECT_THAT(evaluated, ElementsAre(1u, 1u, 1u, 2u)) << "the original, then what does not compile";
  const SubprocessResult last = step();
  EXPECT_EQ(last.exit_code, 0) << last.errors << last.output;
  for (const char* precision : {"fp32", "bf16"}) {
    const StoredTranscript stored = transcript(run(), precision);
    EXPECT_THAT(verdicts(stored), ElementsAre("passed", "build_failed", "passed"));
    EXPECT_EQ(stored.end->at("ending"), "submitted");
    EXPECT_FALSE(fs::exists(run() / "transcripts/silu_and_mul" / (std::string(precision) + ".jsonl.cut-1")));
    EXPECT_EQ(std::distance(fs::directory_iterator(run() / "sessions/silu_and_mul" / precision / "exchange"), fs::directory_iterator()),
              4 * 3 + 1)
        << "a request, the same to read, an answer, and the lock";
  }
  for (const Evaluation& evaluation : read_run(run()).evaluations) {
    EXPECT_EQ(evaluation.verdict, Verdict::passed) << evaluation.case_name << ": " << evaluation.detail;
  }
  const SubprocessResult finished = step();
  EXPECT_EQ(finished.exit_code, 0) << "all is on record";
  EXPECT_THAT(finished.errors, Not(HasSubstr("--option")));
  const SubprocessResult other = step({"--option", "debug=2"});
  EXPECT_EQ(other.exit_code, 0);
  EXPECT_THAT(other.errors, HasSubstr("2 of 2 sessions had ended before, the run is finished; --option debug=2 is not what they were led with"));

  // The stored transcripts give the same verdicts again, for nothing.
  const fs::path again = folder_.path() / "again";
  const SubprocessResult replayed = optimize(again, {"--optimizer", "replay", "--option", "transcript=" + run().string()});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.errors;
  for (const char* precision : {"fp32", "bf16"}) {
    EXPECT_EQ(verdicts(transcript(again, precision)), verdicts(transcript(run(), precision)));
  }
  EXPECT_THAT(read_file(again / "transcripts/silu_and_mul/fp32.jsonl"), HasSubstr("verdicts as recorded, 0 others, 0 recorded ones"));

  // And the language model's answers lead to the same messages again.
  const fs::path rethought = folder_.path() / "rethought";
  const SubprocessResult answered =
      optimize(rethought, {"--optimizer", "cudamaster", "--option", "provider=replay", "--option",
                           "transcript=" + (run() / "transcripts/{task}/{precision}.jsonl").string(), "--option", "model=nobody",
                           "--option", "rounds=1"});
  EXPECT_EQ(answered.exit_code, 0) << answered.errors;
  for (const char* precision : {"fp32", "bf16"}) {
    EXPECT_EQ(verdicts(transcript(rethought, precision)), verdicts(transcript(run(), precision)));
  }
}

TEST_F(Lockstep, AnAnswerThatCannotBeReadIsAwaitedAgain) {
  ASSERT_EQ(step().exit_code, 4);
  for (const char* precision : {"fp32", "bf16"}) {
    write_file_atomically(run() / "sessions/silu_and_mul" / precision / "exchange/0001-planner.answer.json", "{\"text\":");
  }
  const SubprocessResult result = step();
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("0001-planner.answer.json: is not JSON in UTF-8; correct it"));
}

TEST_F(Lockstep, AJournalWithAWrongLineIsRefusedAndNothingIsAskedAgain) {
  const fs::path journal = folder_.path() / "answers-{precision}.jsonl", of_fp32 = folder_.path() / "answers-fp32.jsonl";
  const std::vector<std::string> journaled{"--option", "journal=" + journal.string()};
  ASSERT_EQ(step(journaled).exit_code, 4);
  ASSERT_EQ(answer(), 2u);
  ASSERT_EQ(step(journaled).exit_code, 4);
  const std::string right = read_file(of_fp32);
  ASSERT_EQ(std::count(right.begin(), right.end(), '\n'), 1);
  write_file_atomically(of_fp32, right + "{\"agent\":\"coder\"}\n");
  const auto before = transcript(run(), "fp32").bytes;
  const SubprocessResult refused = step(journaled);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("mskb: " + of_fp32.string() + ":2: no recorded answer: "));
  EXPECT_EQ(transcript(run(), "fp32").bytes, before);
  write_file_atomically(of_fp32, right + right.substr(0, 40));
  EXPECT_EQ(step(journaled).exit_code, 4) << "a line that was cut off is dropped";
  EXPECT_EQ(read_file(of_fp32), right);
}

TEST_F(Lockstep, WhoDoesNotWaitAnyLongerGetsWhatThereIs) {
  ASSERT_EQ(step().exit_code, 4);
  const SubprocessResult result = step({"--option", "unanswered=submit"});
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_EQ(transcript(run(), "fp32").end->at("ending"), "nothing_submitted");
  EXPECT_THAT(transcript(run(), "fp32").end->at("detail").get<std::string>(), HasSubstr("no answer"));
}

}  // namespace
}  // namespace mskb
