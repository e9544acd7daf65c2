// Where the instrumentation's calls come together.
#pragma once

#include <cstddef>

#include "simt/runtime/race_shadow.hpp"

namespace mskb::simt::races {

// The running thread is about to access `size` bytes; `pc` is where the code goes on after the instrumentation's call.
void access(const void* address, std::size_t size, Kind kind, const void* pc);

}  // namespace mskb::simt::races
