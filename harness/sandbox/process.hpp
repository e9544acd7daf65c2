#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.hpp"

namespace mskb {

enum class SandboxLevel { full, limits, none };

constexpr const char* to_string(SandboxLevel level) {
  return level == SandboxLevel::full ? "full" : level == SandboxLevel::limits ? "limits" : "none";
}

// The strongest level that works here: `full` needs user, network, pid, ipc and mount namespaces. Tried once, by starting /bin/true, also in
// a room.
SandboxLevel strongest_sandbox();

// Programs started from now on at level `full` find this directory empty: records, keys, sources of others. Call it before any is started.
void hide_from_sandbox(const std::filesystem::path& directory);

// How an untrusted process ended.
struct ProcessEnd {
  bool ended = false;
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  std::uint64_t memory = 0;   // bytes that it held when it was ended for passing its memory limit; 0 when that did not happen
  std::uint64_t threads = 0;  // the same of most_threads
};

// With a memory limit. For a user other than root the kernel's own limit of 512 is lower.
inline constexpr std::uint64_t most_threads = 4096;

// What a program needs of the file system beside the system's own programs and libraries.
struct Room {
  std::filesystem::path work;                   // its working directory: visible, writable, and there afterwards
  std::vector<std::filesystem::path> readable;  // stay visible
};

// A child with one socket (its descriptor 3), stdin from /dev/null, stdout and stderr read away by a thread that keeps the first output_limit bytes
// of both together, an empty private working directory, few environment variables, and death with its parent. Its parent is a small warden
// process, forked from us, that watches it and ends whatever it leaves behind.
//   full:   new user, network, pid, ipc, uts and mount namespaces; no capabilities and no new privileges; everything read-only but fresh,
//           private /tmp and /dev/shm; the limits below.
//           In a room, directories of / other than /usr, /bin, /sbin, /lib*, /opt, /dev, /proc and /sys are covered as well, and of /etc
//           the loader's files and alternatives are left.
//   limits: core 0, 1024 descriptors, files of at most 256 MiB, no new privileges.
//   none:   neither.
// Throws HarnessError naming the step that failed when the program cannot be started.
class SandboxedProcess {
 public:
  SandboxedProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments, UniqueFd socket,
                   SandboxLevel level, const std::optional<Room>& room = std::nullopt, std::size_t output_limit = 65536);
  ~SandboxedProcess();  // kills it and all that it started, and waits
  SandboxedProcess(SandboxedProcess&&) noexcept;
  SandboxedProcess& operator=(SandboxedProcess&&) noexcept;

  pid_t pid() const;
  // SIGKILL to it and everything it started; returns how it ended (which may be before).
  ProcessEnd kill();
  // Whether it has ended by itself; waits at most `limit`. When it has, everything it started is gone too and output() is complete.
  ProcessEnd wait(std::chrono::milliseconds limit);
  // SIGSTOP, SIGCONT: a waiting worker is frozen while another is timed. Returns when it has stopped, or 100 ms later; no effect on an ended process.
  void freeze(bool frozen);
  // Whether something has made it go on since the last freeze(true), before freeze(false).
  bool woken();
  // From now on it and all that it started may hold so many bytes of memory together (0: any number). Somebody looks twenty times a second; whoever
  // holds more then is killed. Memory that is held without being mapped, such as a file in memory, is not seen.
  void limit_memory(std::uint64_t bytes);
  std::string output() const;  // what it printed so far, cut
  bool output_cut() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mskb
