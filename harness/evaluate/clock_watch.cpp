#include "evaluate/clock_watch.hpp"

#include <algorithm>

#include "evaluate/statistics.hpp"

namespace mskb {

namespace {

constexpr double steady_within = 0.01, throttled_below = 0.97;
constexpr int steady_measurements = 3, most_measurements = 40;

}  // namespace

double ClockWatch::measure() {
  latest_ = measure_();
  highest_ = std::max(highest_, latest_);
  return latest_;
}

void ClockWatch::settle() {
  double low = measure(), high = low;
  for (int steady = 1, made = 1; steady < steady_measurements && made < most_measurements && latest_ > 0; ++made) {
    const double now = measure();
    low = std::min(low, now);
    high = std::max(high, now);
    ++steady;
    if (high - low > steady_within * high) {
      low = high = now;
      steady = 1;
    }
  }
}

bool ClockWatch::round_counts() {
  const double before = latest_;
  const double after = measure();
  if (std::min(before, after) < throttled_below * highest_) {
    if (dropped_ < most_dropped) {
      ++dropped_;
      settle();
      return false;
    }
    unsteady_ = true;
  }
  kept_.push_back(after);
  return true;
}

double ClockWatch::median_mhz() const { return kept_.empty() ? 0 : median(kept_); }

}  // namespace mskb
