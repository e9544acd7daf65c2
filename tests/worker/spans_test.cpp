#include "worker/spans.hpp"

#include <gtest/gtest.h>

namespace mskb::worker {
namespace {

constexpr std::uint64_t entry = 1000000000;

wire::Called clocks_of(std::vector<Activity> activities, std::uint64_t window = 100000) {
  for (Activity& activity : activities) {
    activity.start += entry;
    activity.end += entry;
  }
  wire::Called called{};
  fill_device_clocks(std::move(activities), entry, entry + window, called);
  return called;
}

TEST(Spans, OneKernel) {
  const wire::Called called = clocks_of({{10000, 30000}});
  EXPECT_DOUBLE_EQ(called.lead_us, 10);
  EXPECT_DOUBLE_EQ(called.span_us, 20);
  EXPECT_DOUBLE_EQ(called.busy_us, 20);
  EXPECT_DOUBLE_EQ(called.tail_us, 70);
  EXPECT_EQ(called.activities, 1u);
}

TEST(Spans, OverlapCountsOnceAndGapsAreNotBusy) {
  // Three streams, not in order: [10, 30], [20, 25] inside it, [28, 40], a gap, [60, 70].
  const wire::Called called = clocks_of({{60000, 70000}, {10000, 30000}, {28000, 40000}, {20000, 25000}});
  EXPECT_DOUBLE_EQ(called.span_us, 60);
  EXPECT_DOUBLE_EQ(called.busy_us, 40);
  EXPECT_DOUBLE_EQ(called.lead_us, 10);
  EXPECT_DOUBLE_EQ(called.tail_us, 30);
}

TEST(Spans, TheLastEndNeedNotBelongToTheLastStart) {
  const wire::Called called = clocks_of({{10000, 90000}, {20000, 30000}});
  EXPECT_DOUBLE_EQ(called.span_us, 80);
  EXPECT_DOUBLE_EQ(called.busy_us, 80);
  EXPECT_DOUBLE_EQ(called.tail_us, 10);
}

TEST(Spans, ACallWithoutActivityIsAllLead) {
  const wire::Called called = clocks_of({}, 250000);
  EXPECT_DOUBLE_EQ(called.lead_us, 250);
  EXPECT_EQ(called.span_us, 0);
  EXPECT_EQ(called.busy_us, 0);
  EXPECT_EQ(called.tail_us, 0);
  EXPECT_EQ(called.activities, 0u);
}

TEST(Spans, ActivityOfAnEarlierCallIsLeftOut) {
  wire::Called called{};
  fill_device_clocks({{entry - 900000, entry - 800000}, {entry + 5000, entry + 6000}}, entry, entry + 10000, called);
  EXPECT_EQ(called.activities, 1u);
  EXPECT_DOUBLE_EQ(called.span_us, 1);
}

TEST(Spans, ClocksMayDisagreeALittle) {
  wire::Called called{};
  fill_device_clocks({{entry - 3000, entry - 1000}}, entry, entry + 10000, called);
  EXPECT_EQ(called.activities, 1u);
  EXPECT_DOUBLE_EQ(called.span_us, 2);
  EXPECT_DOUBLE_EQ(called.lead_us, -3);
}

}  // namespace
}  // namespace mskb::worker
