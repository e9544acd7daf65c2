// Where the run-time's parts hand in what a candidate did wrong.
#pragma once

#include <string>

#include "simt/runtime.hpp"

namespace mskb::simt {

struct FaultPlace {
  const char* file = nullptr;
  int line = 0;
};

// Adds a fault with the kernel, block and thread that run now; the caller goes on.
void report_fault(FaultKind kind, FaultPlace place, std::string message, bool abandoned = false);
// The same, then gives up the running launch and never returns. Only inside a kernel.
[[noreturn]] void abandon_launch(FaultKind kind, FaultPlace place, std::string message);
void forget_faults();

}  // namespace mskb::simt
