#pragma once
#include "worker/runner.hpp"

namespace mskb::worker {

// What the run-time noticed while the candidate ran, which outweighs how the candidate returned: its own complaint is often a consequence.
Returned with_runtime_trouble(Returned returned);

}  // namespace mskb::worker
