#include "worker/spans.hpp"

#include <algorithm>

namespace mskb::worker {

namespace {

// Subtracted as integers: today's times in nanoseconds have more digits than a double.
double microseconds(std::uint64_t from, std::uint64_t to) { return static_cast<double>(static_cast<std::int64_t>(to - from)) * 1e-3; }

}  // namespace

void fill_device_clocks(std::vector<Activity> activities, std::uint64_t entry, std::uint64_t done, wire::Called& called) {
  std::erase_if(activities, [&](const Activity& activity) { return activity.end + clock_disagreement < entry || activity.end < activity.start; });
  called.activities = static_cast<std::uint32_t>(activities.size());
  if (activities.empty()) {
    called.span_us = called.busy_us = called.tail_us = 0;
    called.lead_us = microseconds(entry, done);
    return;
  }
  std::sort(activities.begin(), activities.end(), [](const Activity& a, const Activity& b) { return a.start < b.start; });
  std::uint64_t busy = 0, covered = activities.front().start;
  for (const Activity& activity : activities) {
    if (activity.end > covered) {
      busy += activity.end - std::max(covered, activity.start);
      covered = activity.end;
    }
  }
  const std::uint64_t first = activities.front().start;
  called.span_us = microseconds(first, covered);
  called.busy_us = static_cast<double>(busy) * 1e-3;
  called.lead_us = microseconds(entry, first);
  called.tail_us = microseconds(covered, done);
}

}  // namespace mskb::worker
