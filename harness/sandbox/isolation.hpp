#pragma once
#include "sandbox/launch_plan.hpp"

// What a forked child does to itself. Async-signal-safe: no allocation, no locks. A step that fails writes a LaunchFailure and exits.
namespace mskb {

// Reports `step` with errno and exits with 127.
[[noreturn]] void fail_launch(int failure, const char* step);

// The first process of new namespaces: maps the user, makes mounts private and read-only, covers /tmp and /dev/shm, drops capabilities.
void enter_isolation(const LaunchPlan& plan, int failure);

// Resource limits, no new privileges, working directory. In the process that is about to become the program.
void apply_limits(const LaunchPlan& plan, int failure);

}  // namespace mskb
