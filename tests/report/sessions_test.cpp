#include "report/sessions.hpp"

#include <gmock/gmock.h>

#include "report/compare.hpp"
#include "session_samples.hpp"
#include "stored_samples.hpp"

#include <nlohmann/json.hpp>

namespace mskb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SessionsTest : public testing::Test {
 protected:
  TemporaryDirectory folder_;
};

using namespace samples;

TEST_F(SessionsTest, ReadsRoundsCostAndClasses) {
  write_transcript(folder_.path(), "a/fp32",
                   transcript_head("a/fp32", "skilled") + transcript_evaluation(1, "one\\ntwo\\n", "passed", 1, 1, "memory latency bound") +
                       transcript_note("planner", "unroll", 100, 0.25) + transcript_evaluation(2, "one\\n2\\n", "mismatch", 0, 0) +
                       transcript_evaluation(3, "one\\n3\\n", "passed", 1, 5, "compute bound") + transcript_end("id3", 3, 100, 0.25));
  const Sessions sessions = read_sessions(folder_.path());
  EXPECT_THAT(sessions.notes, testing::IsEmpty());
  const Session& session = sessions.by_problem.at("a/fp32");
  EXPECT_TRUE(session.ended);
  EXPECT_EQ(session.events.size(), 4u);
  EXPECT_EQ(session.events[3].speedups.at("paper"), 4);  // (1 * 1 + 3 * 5) / 4
  EXPECT_TRUE(session.events[2].speedups.empty());
  EXPECT_EQ(session.bottleneck_before, "memory latency bound");
  EXPECT_EQ(session.bottleneck_after, "compute bound");
  EXPECT_EQ(session.money, 0.25);
  EXPECT_EQ(session.budget.at("evaluations"), 20);
  EXPECT_FALSE(session.budget.contains("tokens"));
  EXPECT_EQ(session.model(), "a model");
}

TEST_F(SessionsTest, ACutTranscriptIsTold) {
  write_transcript(folder_.path(), "a/fp32", transcript_head("a/fp32", "skilled") + R"({"n":2,"t":1,"from":"optim)");
  const Sessions sessions = read_sessions(folder_.path());
  EXPECT_FALSE(sessions.by_problem.at("a/fp32").ended);
  EXPECT_FALSE(sessions.by_problem.at("a/fp32").money.has_value());
  EXPECT_THAT(sessions.notes, ElementsAre(HasSubstr("transcripts/a/fp32.jsonl: the session was cut off")));
}

TEST_F(SessionsTest, ASessionThatWaitsIsToldWithWhatItHasDone) {
  write_transcript(folder_.path(), "a/fp32", transcript_head("a/fp32", "skilled") + transcript_evaluation(1, "x", "passed", 2, 2) +
                                                 R"({"n":9,"t":7.5,"from":"session","suspended":"an evaluation awaits the device"})" "\n");
  const Sessions sessions = read_sessions(folder_.path());
  EXPECT_EQ(sessions.by_problem.at("a/fp32").evaluations, 1);
  EXPECT_EQ(sessions.by_problem.at("a/fp32").wall_s, 7.5);
  EXPECT_THAT(sessions.notes,
              ElementsAre("transcripts/a/fp32.jsonl: the session waits: an evaluation awaits the device (1 evaluation so far; go on with --resume)"));
}

TEST_F(SessionsTest, ATranscriptOfAnotherSchemaIsLeftOutWithANote) {
  write_transcript(folder_.path(), "a/fp32", "{\"schema\":2,\"problem\":\"a/fp32\"}\n");
  const Sessions sessions = read_sessions(folder_.path());
  EXPECT_TRUE(sessions.by_problem.empty());
  EXPECT_THAT(sessions.notes, ElementsAre(HasSubstr("line 1 is not one of a transcript of schema 1")));
}

TEST_F(SessionsTest, BestSoFarStandsAgainstSpend) {
  const auto run_of = [&](const std::string& name, const std::string& text) {
    StoredRun run = stored(samples::run(), grouped({timed(passed("a", 0, "reference", 2), "span", 100, 1),
                                                    timed(passed("a", 0, "optimizer:" + name + "#3", 2), "span", 20, 5)}));
    run.directory = folder_.path() / name;
    write_transcript(run.directory, "a/fp32", text);
    return run;
  };
  const StoredRun slow = run_of("slow", transcript_head("a/fp32", "slow") + transcript_note("p", "", 100, 0.5) + transcript_evaluation(1, "x", "mismatch", 0, 0) +
                                            transcript_note("p", "", 100, 0.5) + transcript_evaluation(2, "y", "passed", 3, 3) + transcript_end("id2", 2, 200, 1));
  const StoredRun quick = run_of("quick", transcript_head("a/fp32", "quick") + transcript_note("p", "", 50, 0.1) + transcript_evaluation(1, "x", "passed", 2, 2) +
                                              transcript_evaluation(2, "y", "passed", 1, 1) + transcript_end("id1", 2, 50, 0.1));
  const auto rows = [&](const std::string& unit) {
    CompareOptions options;
    options.spend = unit;
    return nlohmann::json::parse(render_comparison({slow, quick}, Format::json, options))["spend"]["rows"];
  };
  const auto evaluations = rows("evaluations");
  ASSERT_EQ(evaluations.size(), 2u);
  EXPECT_EQ(evaluations[0]["spent"], 1);
  EXPECT_EQ(evaluations[0]["best_so_far"][0]["solved"], 0);
  EXPECT_TRUE(evaluations[0]["best_so_far"][0]["mean"].is_null());
  EXPECT_EQ(evaluations[0]["best_so_far"][1]["mean"], 2);
  EXPECT_EQ(evaluations[1]["best_so_far"][0]["mean"], 3);
  EXPECT_EQ(evaluations[1]["best_so_far"][1]["mean"], 2);  // a later, slower one does not count
  const auto money = rows("money");
  EXPECT_EQ(money[0]["spent"], 0.1);
  EXPECT_EQ(money[0]["best_so_far"][1]["mean"], 2);
  EXPECT_EQ(money[0]["best_so_far"][0]["solved"], 0);
  EXPECT_EQ(money.back()["best_so_far"][0]["mean"], 3);
}

}  // namespace
}  // namespace mskb
