#pragma once
#include <cstdint>

#include "sandbox/launch_plan.hpp"

namespace mskb {

// Between the parent and a warden: datagrams on LaunchPlan::status.
//   warden → parent: Started from the program's process (the kernel adds its pid), Answered after each stop, look and go_on, Ended once, last.
//   parent → warden: a WardenOrder. When the parent's end closes, the warden ends everything.
enum class WardenWord : int { started, answered, ended };
struct WardenMessage {
  WardenWord word;
  int status;             // ended: as waitpid gives it; answered: whether the program was woken since it was told to stop
  std::uint64_t memory, threads;  // ended: how many were held when the warden ended it for holding too many, else 0
};
enum class WardenDeed : int { kill, stop, look, go_on, limit_memory };
struct WardenOrder {
  WardenDeed deed;
  std::uint64_t bytes;  // limit_memory: how many the program and all that it started may hold from now on, with most_threads threads; 0: any number of both
};

// Forks the warden, which forks and execs the program and stays: as the first process of the pid namespace at level full, else as
// subreaper. Returns the warden's pid.
pid_t start_warden(const LaunchPlan& plan);

}  // namespace mskb
