#include "optimize/session_score.hpp"

#include <gtest/gtest.h>

#include "fake_harness.hpp"

namespace mskb {
namespace {

Candidate candidate(const std::string& text) {
  Candidate made;
  made.main_source = "k.cu";
  made.sources["k.cu"] = text;
  return made;
}
Json message(const std::string& text, const std::string& set, bool timed) {
  return Json::parse(one_line(evaluation_message(test::fake_report(candidate(text), {set}, timed), 1, false, Json())));
}

TEST(ScoreKeeper, CountsWhatPassedWhereNothingIsTimed) {
  ScoreKeeper score;
  score.add(message("wrong", "smoke", false));
  score.add(message("right", "smoke", false));
  EXPECT_EQ(score.best(), std::nullopt);
  EXPECT_EQ(score.text(), "1 of 2 passed, ");
}

TEST(ScoreKeeper, KeepsTheBestOfTheHeaviestSizes) {
  ScoreKeeper score;
  score.add(message("fast", "smoke", true));
  EXPECT_EQ(score.best(), 2.0);
  score.add(message("right", "paper", true));
  EXPECT_EQ(score.best(), 1.0) << "small sizes no longer count";
  score.add(message("fast", "paper", true));
  score.add(message("right", "paper", true));
  EXPECT_EQ(score.text(), "best 2.00x, ");
}

TEST(SpendingText, SaysWhatIsKnown) {
  EXPECT_EQ(spending_text({{}, {}, {}, {}, 3600}, {1, std::nullopt, std::nullopt, 0, 60}), "59 min left");
  EXPECT_EQ(spending_text({{}, {}, {}, 100, 90}, {1, 1200, 0.0123, 30, 30}), "1200 tokens, $0.0123, 70 s of the device left, 60 s left");
}

}  // namespace
}  // namespace mskb
