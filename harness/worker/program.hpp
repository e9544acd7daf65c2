#pragma once
#include <functional>
#include <memory>

#include "worker/runner.hpp"

namespace mskb::worker {

using MakeRunner = std::function<std::unique_ptr<Runner>(int device, bool solo)>;

// main() of a worker program: hides the socket a little, makes the runner (a failure is sent in place of the introduction), serves, and leaves
// without running the candidate's exit handlers. `arguments[1]`, when given, is the device's number; `solo` after it asks for memory of the
// worker's own. `unmapped_memory`: whether the runner's driver may need memory that is not mapped (memfd_create and the like).
int run_program(int argument_count, char** arguments, const MakeRunner& make_runner, bool unmapped_memory);

}  // namespace mskb::worker
