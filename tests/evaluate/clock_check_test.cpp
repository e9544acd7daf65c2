#include "evaluate/clock_check.hpp"

#include <gmock/gmock.h>

namespace mskb {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Calls that took `truth`, of which `reported` was said, with 150 us around each.
ClockTestimony calls(double truth, double reported, double recorded) {
  ClockTestimony testimony;
  for (int i = 0; i < 24; ++i) {
    const double jitter = i % 5;
    wire::Called called{};
    called.call_us = reported + jitter;
    testimony.add(wire::Clock::call, called, 150 + truth + 2 * jitter);
    called.lead_us = called.tail_us = 3;
    called.span_us = recorded - 6 + jitter;
    testimony.add(wire::Clock::span, called, 900 + truth);
  }
  return testimony;
}

TEST(ClockCheck, TimesOfHonestWorkersAgree) {
  EXPECT_THAT(contradiction(calls(40, 40, 42), calls(5000, 5000, 5100)), IsEmpty());
  EXPECT_THAT(contradiction(calls(20000, 20000, 20500), calls(5000, 5000, 5100)), IsEmpty());
}

TEST(ClockCheck, ATenthOfTheTimeIsRefused) {
  EXPECT_THAT(contradiction(calls(5000, 500, 500), calls(8000, 8000, 8100)), HasSubstr("reported calls of 50"));
}

TEST(ClockCheck, ATenthInTheRecordedTurnsAloneIsRefused) {
  EXPECT_THAT(contradiction(calls(5000, 5000, 500), calls(8000, 8000, 8100)), HasSubstr("while they were recorded"));
}

TEST(ClockCheck, AFewSlowAnswersAccuseNobody) {
  ClockTestimony own = calls(5000, 5000, 5100);
  for (int i = 0; i < 8; ++i) {
    own.around[static_cast<std::size_t>(i)] += 50000;
  }
  EXPECT_THAT(contradiction(own, calls(8000, 8000, 8100)), IsEmpty());
}

TEST(ClockCheck, ThreeTenthsOfAMillisecondAreNotHidden) {
  EXPECT_THAT(contradiction(calls(300, 30, 30), calls(300, 300, 310)), HasSubstr("reported calls of 3"));
  EXPECT_THAT(contradiction(calls(300, 300, 30), calls(300, 300, 310)), HasSubstr("while they were recorded"));
}

TEST(ClockCheck, ShortCallsAreTooCoarse) {
  EXPECT_THAT(contradiction(calls(100, 10, 10), calls(300, 300, 310)), IsEmpty());
  EXPECT_THAT(contradiction(calls(40, 40, 4), calls(300, 300, 310)), IsEmpty());
}

TEST(ClockCheck, WhereAnswersOfTheReferenceScatterOthersMay) {
  ClockTestimony undoubted = calls(300, 300, 310);
  for (std::size_t i = 0; i < undoubted.around.size(); i += 2) {
    undoubted.around[i] += 250;
  }
  EXPECT_THAT(contradiction(calls(300, 30, 300), undoubted), IsEmpty());
}

TEST(ClockCheck, TooFewCallsSayNothing) { EXPECT_THAT(contradiction(ClockTestimony{}, calls(10, 10, 11)), IsEmpty()); }

}  // namespace
}  // namespace mskb
