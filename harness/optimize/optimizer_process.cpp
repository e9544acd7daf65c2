#include "optimize/optimizer_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "optimize/messages.hpp"

namespace mskb {

namespace {

using Clock = OptimizerChannel::Clock;

struct Pipe {
  UniqueFd read_end, write_end;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      throw_errno("pipe");
    }
    read_end.reset(ends[0]);
    write_end.reset(ends[1]);
  }
};

// A write to a process that is gone gives EPIPE in this scope, and no signal.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoSigpipe() {
    if (!was_pending_) {
      const timespec now{0, 0};
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

int milliseconds_until(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 100));
}

[[noreturn]] void become(char* const* arguments, char* const* environment, int in, int out, int err, int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::dup2(in, 0) == 0 && ::dup2(out, 1) == 1 && ::dup2(err, 2) == 2) {
    ::execvpe(arguments[0], arguments, environment);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(failure, &error, sizeof error);
  ::_exit(127);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) {
    result.push_back(const_cast<char*>(word.c_str()));
  }
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> with_environment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!added.contains(std::string(text.substr(0, text.find('='))))) {
      variables.emplace_back(text);
    }
  }
  for (const auto& [name, value] : added) {
    variables.push_back(name + "=" + value);
  }
  return variables;
}

}  // namespace

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) {
    return "";
  }
  const std::size_t newline = text.find_last_of('\n', end);
  const std::size_t start = newline == std::string::npos ? 0 : newline + 1;
  return excerpt(text.substr(start, std::min<std::size_t>(end + 1 - start, 200)), 200);
}

OptimizerProcess::OptimizerProcess(const std::vector<std::string>& command,
                                   const std::map<std::string, std::string>& environment, std::filesystem::path log,
                                   ProcessLimits limits)
    : limits_(limits), log_file_(std::move(log)), lines_(limits.line) {
  Pipe in, out, err, failure, wake;
  const std::vector<std::string> variables = with_environment(environment);
  const std::vector<char*> argument_list = pointers(command), variable_list = pointers(variables);
  pid_ = ::fork();
  if (pid_ < 0) {
    throw_errno("fork");
  }
  if (pid_ == 0) {
    become(argument_list.data(), variable_list.data(), in.read_end.get(), out.write_end.get(), err.write_end.get(),
           failure.write_end.get());
  }
  ::setpgid(pid_, pid_);
  failure.write_end.reset();
  int error = 0;
  if (::read(failure.read_end.get(), &error, sizeof error) == sizeof error) {
    ::waitpid(pid_, nullptr, 0);
    errno = error;
    throw_errno("start " + command.front());
  }
  input_ = std::move(in.write_end);
  output_ = std::move(out.read_end);
  errors_ = std::move(err.read_end);
  wake_ = std::move(wake.write_end);
  ::fcntl(input_.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  log_reader_ = std::thread([this, stop = std::move(wake.read_end)] {
    std::ofstream file(log_file_, std::ios::binary | std::ios::trunc);
    std::size_t kept = 0, last_words = 0;
    std::array<char, 65536> chunk;
    std::array<pollfd, 2> polled{pollfd{errors_.get(), POLLIN, 0}, pollfd{stop.get(), POLLIN, 0}};
    while (true) {
      ::poll(polled.data(), polled.size(), -1);
      if (polled[0].revents == 0 || last_words > limits_.log) {
        return;  // the other end of `wake` is closed, and nothing is left to read
      }
      const ssize_t count = ::read(errors_.get(), chunk.data(), chunk.size());
      if (count <= 0) {
        return;
      }
      const std::size_t size = std::min(limits_.log - kept, static_cast<std::size_t>(count));
      file.write(chunk.data(), static_cast<std::streamsize>(size)).flush();
      kept += size;
      last_words += polled[1].revents != 0 ? static_cast<std::size_t>(count) : 0;
    }
  });
}

OptimizerProcess::~OptimizerProcess() {
  kill_group();
  wake_.reset();
  if (log_reader_.joinable()) {
    log_reader_.join();
  }
}

void OptimizerProcess::kill_group() {
  if (group_ended_) {
    return;
  }
  group_ended_ = true;
  if (!reap()) {
    killed_ = true;
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
  }
  ::kill(-pid_, SIGKILL);  // what it left behind
}

bool OptimizerProcess::reap() {
  if (!reaped_) {
    reaped_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  }
  return reaped_;
}

void OptimizerProcess::read_some() {
  std::array<char, 65536> chunk;
  const ssize_t count = ::read(output_.get(), chunk.data(), chunk.size());
  if (count > 0) {
    lines_.add({chunk.data(), static_cast<std::size_t>(count)});
    received_ += static_cast<std::size_t>(count);
  } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
    output_ended_ = true;
  }
}

ReceivedLine OptimizerProcess::receive(Clock::time_point until) {
  using Kind = ReceivedLine::Kind;
  while (true) {
    if (lines_.too_long()) {
      return {Kind::too_long, std::string(lines_.waiting().substr(0, 4096))};
    }
    if (received_ > limits_.total) {
      return {Kind::too_much, ""};
    }
    if (auto line = lines_.take()) {
      return {Kind::line, std::move(*line)};
    }
    if (output_ended_) {
      return lines_.size() > 0 ? ReceivedLine{Kind::line, lines_.take_rest()} : ReceivedLine{Kind::closed, ""};
    }
    const bool late = Clock::now() >= until;
    // Something that it started may hold its stdout open after it has ended.
    const bool gone = reap();
    pollfd polled{output_.get(), POLLIN, 0};
    if (::poll(&polled, 1, late || gone ? 0 : milliseconds_until(until)) > 0) {
      read_some();
    } else if (gone) {
      output_ended_ = true;
    } else if (late) {
      return {Kind::timed_out, ""};
    }
  }
}

bool OptimizerProcess::send(const std::string& line, Clock::time_point until) {
  const NoSigpipe quiet;
  const std::string text = line + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    if (!input_ || reap() || Clock::now() >= until) {
      return false;
    }
    // It may be writing to us while we write to it.
    const bool room = lines_.size() <= limits_.line && !output_ended_;
    std::array<pollfd, 2> polled{pollfd{input_.get(), POLLOUT, 0}, pollfd{room ? output_.get() : -1, POLLIN, 0}};
    ::poll(polled.data(), polled.size(), milliseconds_until(until));
    if (polled[1].revents != 0) {
      read_some();
    }
    if (polled[0].revents == 0) {
      continue;
    }
    const ssize_t count = ::write(input_.get(), text.data() + sent, text.size() - sent);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (count < 0 && errno != EINTR && errno != EAGAIN) {
      return false;
    }
  }
  return true;
}

std::string OptimizerProcess::close(std::chrono::milliseconds patience) {
  input_.reset();
  const Clock::time_point until = Clock::now() + patience;
  while (!reap() && Clock::now() < until) {
    if (!output_ended_) {
      pollfd polled{output_.get(), POLLIN, 0};
      if (::poll(&polled, 1, 10) > 0) {
        read_some();
        lines_.take_rest();
      }
    } else {
      ::usleep(5000);
    }
  }
  kill_group();
  wake_.reset();
  if (log_reader_.joinable()) {
    log_reader_.join();
  }
  std::string how = killed_ ? "was killed"
                    : WIFEXITED(status_) ? fmt::format("ended with exit code {}", WEXITSTATUS(status_))
                                         : fmt::format("was ended by signal {} ({})", WTERMSIG(status_),
                                                       ::strsignal(WTERMSIG(status_)));
  const std::string said = std::filesystem::exists(log_file_) ? last_line(read_file(log_file_)) : "";
  return said.empty() ? how : how + "; its log ends: " + said;
}

}  // namespace mskb
