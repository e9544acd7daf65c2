#pragma once
#include "sandbox/launch_plan.hpp"

namespace mskb {

// Between the parent and a warden: datagrams on LaunchPlan::status.
//   warden → parent: Started from the program's process (the kernel adds its pid), Answered after each order, Ended once, last.
//   parent → warden: one byte. When the parent's end closes, the warden ends everything.
enum class WardenWord : int { started, answered, ended };
struct WardenMessage {
  WardenWord word;
  int status;  // ended: as waitpid gives it
};
enum class WardenOrder : char { kill = 'k', stop = 's', go_on = 'c' };

// Forks the warden, which forks and execs the program and stays: as the first process of the pid namespace at level full, else as
// subreaper. Returns the warden's pid.
pid_t start_warden(const LaunchPlan& plan);

}  // namespace mskb
