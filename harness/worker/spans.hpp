#pragma once
#include <cstdint>
#include <vector>

#include "wire/worker_messages.hpp"

namespace mskb::worker {

constexpr std::uint64_t clock_disagreement = 100000;  // ns, of the host's time and the device's in one record

// One kernel, copy or set on the device; nanoseconds of the recorder's clock.
struct Activity {
  std::uint64_t start, end;
};

// Fills the device clocks of a call whose window was [entry, done]: span, busy, lead, tail, activities. Activity that ended well before the
// entry is not the call's (device and host clocks agree only so far; lead and tail may come out a little below zero for that reason). A call
// without activity spent its whole window on the host: that is its lead.
void fill_device_clocks(std::vector<Activity> activities, std::uint64_t entry, std::uint64_t done, wire::Called& called);

}  // namespace mskb::worker
