#pragma once
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.hpp"
#include "optimize/channel.hpp"
#include "optimize/line_buffer.hpp"

namespace mskb {

struct ProcessLimits {
  std::size_t line = 16u << 20;    // bytes of one line
  std::size_t total = 256u << 20;  // bytes of all lines together
  std::size_t log = 1u << 20;      // bytes kept of stderr; the rest is read and dropped
};

// An optimizer as a process of its own group: lines on stdin and stdout, stderr into a log file. It is not sandboxed (it may need a network and
// its keys) but holds nothing of the harness. Dies with its parent.
class OptimizerProcess : public OptimizerChannel {
 public:
  // `environment` is added to the caller's. Throws HarnessError when the program cannot be started.
  OptimizerProcess(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
                   std::filesystem::path log, ProcessLimits limits = {});
  ~OptimizerProcess() override;  // kills the group and waits
  OptimizerProcess(const OptimizerProcess&) = delete;
  OptimizerProcess& operator=(const OptimizerProcess&) = delete;

  ReceivedLine receive(Clock::time_point until) override;
  bool send(const std::string& line, Clock::time_point until) override;
  std::string close(std::chrono::milliseconds patience) override;

 private:
  void read_some();
  bool reap();
  void kill_group();

  ProcessLimits limits_;
  std::filesystem::path log_file_;
  UniqueFd input_, output_, errors_, wake_;
  pid_t pid_ = -1;
  bool reaped_ = false, killed_ = false, group_ended_ = false, output_ended_ = false;
  int status_ = 0;
  std::size_t received_ = 0;
  LineBuffer lines_;
  std::thread log_reader_;
};

// The last line of a text that is not blank, cut to 200 bytes.
std::string last_line(const std::string& text);

}  // namespace mskb
