#include "base/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "base/errors.hpp"
#include "base/unique_fd.hpp"

namespace mskb {

namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  UniqueFd read_end, write_end;
  Pipe() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) {
      throw_errno("pipe");
    }
    read_end.reset(fds[0]);
    write_end.reset(fds[1]);
  }
};

// Reads what is there; false at the end of the stream.
bool drain(int fd, std::string& text, std::size_t limit, bool& cut) {
  std::array<char, 65536> chunk;
  const ssize_t count = ::read(fd, chunk.data(), chunk.size());
  if (count <= 0) {
    return count < 0 && (errno == EINTR || errno == EAGAIN);
  }
  const std::size_t room = limit > text.size() ? limit - text.size() : 0;
  const std::size_t kept = std::min(room, static_cast<std::size_t>(count));
  text.append(chunk.data(), kept);
  cut = cut || kept < static_cast<std::size_t>(count);
  return true;
}

[[noreturn]] void become(const std::vector<std::string>& argv, const SubprocessOptions& options, int out, int err,
                         int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int null = ::open("/dev/null", O_RDONLY);
  ::dup2(null, 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  std::vector<char*> arguments;
  for (const std::string& argument : argv) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  if (options.directory.empty() || ::chdir(options.directory.c_str()) == 0) {
    ::execvp(arguments[0], arguments.data());
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(failure, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

SubprocessResult run_subprocess(const std::vector<std::string>& argv, const SubprocessOptions& options) {
  Pipe out, err, failure;
  const pid_t child = ::fork();
  if (child < 0) {
    throw_errno("fork");
  }
  if (child == 0) {
    become(argv, options, out.write_end.get(), err.write_end.get(), failure.write_end.get());
  }
  ::setpgid(child, child);
  out.write_end.reset();
  err.write_end.reset();
  failure.write_end.reset();
  int error = 0;
  if (::read(failure.read_end.get(), &error, sizeof error) == sizeof error) {
    ::waitpid(child, nullptr, 0);
    errno = error;
    throw_errno("start " + argv[0]);
  }

  SubprocessResult result;
  const Clock::time_point end = Clock::now() + options.time_limit;
  bool out_open = true, err_open = true, reaped = false;
  int status = 0;
  while (out_open || err_open) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) {
      result.timed_out = !reaped;
      break;
    }
    std::array<pollfd, 2> polled{pollfd{out_open ? out.read_end.get() : -1, POLLIN, 0},
                                 pollfd{err_open ? err.read_end.get() : -1, POLLIN, 0}};
    ::poll(polled.data(), polled.size(), static_cast<int>(std::min<long long>(left, 100)));
    if (polled[0].revents != 0) {
      out_open = drain(out.read_end.get(), result.output, options.output_limit, result.output_cut);
    }
    if (polled[1].revents != 0) {
      err_open = drain(err.read_end.get(), result.errors, options.output_limit, result.output_cut);
    }
    if (polled[0].revents == 0 && polled[1].revents == 0 && !reaped) {
      // A grandchild may hold the pipes open after the program has ended.
      reaped = ::waitpid(child, &status, WNOHANG) == child;
    } else if (reaped && polled[0].revents == 0 && polled[1].revents == 0) {
      break;
    }
  }
  while (!reaped && !result.timed_out) {
    reaped = ::waitpid(child, &status, WNOHANG) == child;
    if (!reaped) {
      if (Clock::now() >= end) {
        result.timed_out = true;
      } else {
        ::usleep(1000);
      }
    }
  }
  ::kill(-child, SIGKILL);
  if (!reaped) {
    ::waitpid(child, &status, 0);
  }
  if (WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  } else if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
  }
  return result;
}

namespace {
bool is_program(const std::string& path) {
  std::error_code absent;
  return std::filesystem::is_regular_file(path, absent) && ::access(path.c_str(), X_OK) == 0;
}
}  // namespace

bool program_exists(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return is_program(name);
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (is_program(folder + "/" + name)) {
      return true;
    }
  }
  return false;
}

}  // namespace mskb
