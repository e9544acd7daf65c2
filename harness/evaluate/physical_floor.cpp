#include "evaluate/physical_floor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mskb {

double physical_floor_us(const Case& test_case, const Environment& environment) {
  constexpr double allowance = 0.95;  // of the data sheet's time
  if (!(environment.memory_bandwidth > 0)) {
    return 0;
  }
  double written = 0;
  for (const CaseArgument& argument : test_case.arguments) {
    if (argument.role == Role::out || argument.role == Role::inout) {
      written += static_cast<double>(argument.elements) * static_cast<double>(element_bytes(argument.type));
    }
  }
  const double read = std::max(0.0, test_case.bytes - written);
  const double moved = read + std::max(0.0, std::min(written, test_case.bytes) - environment.l2_bytes);
  return allowance * moved / environment.memory_bandwidth * 1e6;
}

std::string implausible_time(const Timing& timing, double floor_us) {
  if (timing.protocol == "paper") {
    return "";
  }
  for (const char* clock : {"span", "call"}) {
    const auto found = timing.clocks.find(clock);
    if (found != timing.clocks.end() && found->second.median < floor_us) {
      return fmt::format("{} is {:.3g} us, but the device cannot move the data in less than {:.3g} us", clock, found->second.median, floor_us);
    }
  }
  return "";
}

}  // namespace mskb
