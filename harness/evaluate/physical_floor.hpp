#pragma once
#include <string>

#include "model/case.hpp"
#include "model/evaluation.hpp"
#include "model/run.hpp"

namespace mskb {

// The least time in microseconds that the device's data sheet leaves any kernel of the case when caches were swept before the call: the fewest
// bytes, without those written ones that may still be in the L2 cache when the call ends, at 1/0.95 of the memory bandwidth. 0 where that is unknown.
double physical_floor_us(const Case& test_case, const Environment& environment);

// Why the time cannot be true, in words; empty when it can. Not judged under protocol `paper`, whose caches are warm.
std::string implausible_time(const Timing& timing, double floor_us);

}  // namespace mskb
