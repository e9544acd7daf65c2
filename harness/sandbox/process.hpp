#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/unique_fd.hpp"

namespace mskb {

enum class SandboxLevel { full, limits, none };

constexpr const char* to_string(SandboxLevel level) {
  return level == SandboxLevel::full ? "full" : level == SandboxLevel::limits ? "limits" : "none";
}

// The strongest level that works here: `full` needs user, network, pid, ipc and mount namespaces. Tried once, by starting /bin/true.
SandboxLevel strongest_sandbox();

// How an untrusted process ended.
struct ProcessEnd {
  bool ended = false;
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
};

// A child with one socket (its descriptor 3), stdin from /dev/null, stdout and stderr read away by a thread that keeps the first 64 KiB of
// both together, an empty private working directory, and death with its parent. Level `full`: new user, network, pid, ipc and mount
// namespaces, no new privileges; `limits`: resource limits only (core 0, files, processes, file size).
class SandboxedProcess {
 public:
  SandboxedProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments, UniqueFd socket,
                   SandboxLevel level);
  ~SandboxedProcess();  // kills it and all that it started, and waits
  SandboxedProcess(SandboxedProcess&&) noexcept;
  SandboxedProcess& operator=(SandboxedProcess&&) noexcept;

  pid_t pid() const;
  // SIGKILL to it and everything it started; returns how it ended (which may be before).
  ProcessEnd kill();
  // Whether it has ended by itself; waits at most `limit`.
  ProcessEnd wait(std::chrono::milliseconds limit);
  // SIGSTOP, SIGCONT: a waiting worker is frozen while another is timed.
  void freeze(bool frozen);
  std::string output() const;  // what it printed so far, cut
  bool output_cut() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mskb
