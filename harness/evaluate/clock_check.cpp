#include "evaluate/clock_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluate/statistics.hpp"

namespace mskb {

namespace {

constexpr double late_us = 100, short_us = 50, slack_share = 0.05;
constexpr std::size_t fewest_calls = 8;

double between_quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() * 3 / 4] - values[values.size() / 4];
}

}  // namespace

void ClockTestimony::add(wire::Clock clock, const wire::Called& called, double go_to_done_us) {
  if (clock == wire::Clock::call) {
    call.push_back(called.call_us);
    around.push_back(go_to_done_us - called.call_us);
  } else if (clock == wire::Clock::span) {
    window.push_back(called.lead_us + called.span_us + called.tail_us);
  }
}

std::string contradiction(const ClockTestimony& own, const ClockTestimony& undoubted) {
  if (own.call.size() < fewest_calls || undoubted.call.size() < fewest_calls) {
    return "";
  }
  const double call = median(own.call), around = median(own.around), usual = median(undoubted.around);
  if (around - usual > late_us + 2 * between_quartiles(undoubted.around) + slack_share * call) {
    return fmt::format("it reported calls of {:.0f} us, but its answers took {:.0f} us more than that, and the reference's {:.0f} us", call, around,
                       usual);
  }
  if (own.window.size() >= fewest_calls && median(own.window) < call - short_us - slack_share * call) {
    return fmt::format("it reported calls of {:.0f} us, and of {:.0f} us while they were recorded", call, median(own.window));
  }
  return "";
}

}  // namespace mskb
