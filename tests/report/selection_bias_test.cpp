#include "report/selection_bias.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

SessionEvent evaluated(const std::string& candidate, std::map<std::string, double> speedups) {
  SessionEvent event;
  event.kind = SessionEvent::Kind::evaluation;
  event.candidate = candidate;
  event.verdict = "passed";
  event.speedups = std::move(speedups);
  return event;
}

class Bias : public testing::Test {
 protected:
  Bias() {
    session_.problem = "gate/fp32";
    session_.clock = "span";
    session_.submitted = "b";
    session_.events = {evaluated("a", {{"smoke", 9.0}}), evaluated("a", {{"paper", 2.0}}), evaluated("b", {{"paper", 2.2}}),
                       evaluated("b", {{"paper", 2.4}}), evaluated("c", {{"paper", 2.1}})};
    score_.task = "gate";
    score_.precision = "fp32";
    score_.origin = "optimizer:o#1";
    score_.candidate = "b";
    score_.set = "paper";
    score_.clock = "span";
    score_.correct = true;
    score_.weighted_speedup = 2.0;
  }

  std::vector<SelectionBias> biases() const {
    Sessions sessions;
    sessions.by_problem[session_.problem] = session_;
    return selection_biases(sessions, {score_});
  }

  Session session_;
  ProblemScore score_;
};

TEST_F(Bias, IsTheBestSeenOverTheFinal) {
  const auto found = biases();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].versions, 3);
  EXPECT_DOUBLE_EQ(found[0].best_seen, 2.4);
  EXPECT_DOUBLE_EQ(found[0].final, 2.0);
  EXPECT_NEAR(found[0].excess(), 0.2, 1e-12);
  EXPECT_EQ(selection_bias_grid(found).render(Format::csv), "problem,sizes,versions,best seen,final,excess\ngate/fp32,paper,3,2.40,2.00,+20.0%\n");
}

TEST_F(Bias, TheMeanIsGeometric) {
  const SelectionBias twice{"a/fp32", "paper", 1, 4, 2}, half{"b/fp32", "paper", 1, 1, 2};
  EXPECT_NEAR(*mean_excess({twice, half}), 0, 1e-12);
  EXPECT_EQ(mean_excess({}), std::nullopt);
}

TEST_F(Bias, OnlyOfWhatWasTimedInBoth) {
  score_.correct = false;
  EXPECT_TRUE(biases().empty()) << "a submission that failed in the end";
  score_.correct = true;
  score_.set = "large";
  EXPECT_TRUE(biases().empty()) << "sizes that the search did not time";
  score_.set = "paper";
  score_.clock = "call";
  EXPECT_TRUE(biases().empty()) << "another clock";
  score_.clock = "span";
  session_.events = {evaluated("b", {{"paper", 1e300}}), evaluated("b", {{"paper", -1.0}})};
  EXPECT_TRUE(biases().empty()) << "figures that nothing can have";
  score_.candidate = "baseline";
  EXPECT_TRUE(biases().empty()) << "what no session submitted";
}

}  // namespace
}  // namespace mskb
