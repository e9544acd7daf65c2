#include "sandbox/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "sandbox/launch_plan.hpp"
#include "sandbox/output_drain.hpp"
#include "sandbox/warden.hpp"

namespace mskb {

namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

struct Ends {
  UniqueFd ours, theirs;
};

Ends make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) {
    throw_errno("pipe");
  }
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

Ends make_status_sockets() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) {
    throw_errno("socketpair");
  }
  const int on = 1;
  if (::setsockopt(fds[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) {
    throw_errno("ask for the sender's pid");
  }
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

struct FromWarden {
  WardenMessage message;
  pid_t sender;
};

// Nothing when the limit passed; `closed` when the warden is gone.
std::optional<FromWarden> receive(int status, std::chrono::milliseconds limit, bool& closed) {
  const auto end = SteadyClock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - SteadyClock::now()).count();
    pollfd polled{status, POLLIN, 0};
    const int ready = ::poll(&polled, 1, static_cast<int>(std::clamp<long long>(left, 0, 3600000)));
    if (ready == 0 && left <= 0) {
      return std::nullopt;
    }
    if (ready > 0) {
      break;
    }
  }
  FromWarden received{};
  iovec part{&received.message, sizeof received.message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  // A warden that ends before it has read an order resets the connection, and the kernel tells of that before it gives the last message.
  ssize_t length = 0;
  do {
    header.msg_controllen = sizeof control;
    length = ::recvmsg(status, &header, MSG_CMSG_CLOEXEC);
  } while (length < 0 && (errno == ECONNRESET || errno == EINTR));
  if (length != sizeof received.message) {
    closed = true;
    return std::nullopt;
  }
  if (cmsghdr* first = CMSG_FIRSTHDR(&header); first != nullptr && first->cmsg_type == SCM_CREDENTIALS) {
    ucred credentials{};
    std::memcpy(&credentials, CMSG_DATA(first), sizeof credentials);
    received.sender = credentials.pid;
  }
  return received;
}

}  // namespace

struct SandboxedProcess::State {
  pid_t warden = -1;
  pid_t program = -1;
  UniqueFd status;
  std::optional<TemporaryDirectory> directory;  // levels below full
  std::optional<OutputDrain> drain;
  ProcessEnd end;
  bool frozen = false, woken = false;        // woken: by the warden's last answer
  std::chrono::milliseconds patience = 10s;  // for a warden, which is ours and obeys, though the kernel may need time to end a process

  ~State() { kill(); }

  void order(WardenDeed deed, std::uint64_t bytes = 0) {
    const WardenOrder what{deed, bytes};
    [[maybe_unused]] const ssize_t ignored = ::send(status.get(), &what, sizeof what, MSG_NOSIGNAL);
  }

  void ask(WardenDeed deed) {
    if (!end.ended) {
      order(deed);
      receive_until(WardenWord::answered, patience);
    }
  }

  void note_end(ProcessEnd how) {
    end = how;
    end.ended = true;
    const auto limit = SteadyClock::now() + patience;
    while (::waitpid(warden, nullptr, WNOHANG) == 0 && SteadyClock::now() < limit) {
      ::usleep(200);
    }
    if (drain) {
      drain->finish();
    }
    directory.reset();
  }

  // Handles messages until one is `wanted` (or the process has ended); false when the limit passed.
  bool receive_until(WardenWord wanted, std::chrono::milliseconds limit) {
    const auto until = SteadyClock::now() + limit;
    while (!end.ended) {
      bool closed = false;
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - SteadyClock::now());
      const std::optional<FromWarden> received = receive(status.get(), std::max(left, 0ms), closed);
      if (closed) {  // somebody ended the warden
        ::kill(-program, SIGKILL);
        note_end({true, -1, SIGKILL, 0, 0});
      } else if (!received) {
        return false;
      } else if (received->message.word == WardenWord::ended) {
        const int how = received->message.status;
        const auto [memory, threads] = std::pair(received->message.memory, received->message.threads);
        note_end(WIFEXITED(how) ? ProcessEnd{true, WEXITSTATUS(how), 0, memory, threads} : ProcessEnd{true, -1, WTERMSIG(how), memory, threads});
      } else if (received->message.word == WardenWord::started) {
        program = received->sender;
      }
      if (received && received->message.word == WardenWord::answered) {
        woken = received->message.status != 0;
      }
      if (received && received->message.word == wanted) {
        return true;
      }
    }
    return true;
  }

  void kill() {
    if (warden < 0 || end.ended) {
      return;
    }
    order(WardenDeed::kill);
    if (!receive_until(WardenWord::ended, patience)) {
      ::kill(warden, SIGKILL);
      note_end({true, -1, SIGKILL, 0, 0});
    }
  }
};

SandboxedProcess::SandboxedProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments, UniqueFd socket,
                                   SandboxLevel level, const std::optional<Room>& room, std::size_t output_limit)
    : state_(std::make_unique<State>()) {
  std::filesystem::path directory = "/tmp/work";
  if (room) {
    directory = std::filesystem::canonical(room->work);
  } else if (level != SandboxLevel::full) {
    directory = state_->directory.emplace().path();
  }
  LaunchPlan plan(program, arguments, level, directory, room);
  Ends output = make_pipe(), failure = make_pipe(), status = make_status_sockets();
  plan.socket = socket.get();
  plan.output = output.theirs.get();
  plan.failure = failure.theirs.get();
  plan.status = status.theirs.get();
  const pid_t warden = start_warden(plan);
  output.theirs.reset();
  failure.theirs.reset();
  status.theirs.reset();
  socket.reset();

  LaunchFailure record{};
  ssize_t length = 0;
  while ((length = ::read(failure.ours.get(), &record, sizeof record)) < 0 && errno == EINTR) {
  }
  if (length > 0) {
    status.ours.reset();  // the warden ends
    ::waitpid(warden, nullptr, 0);
    errno = record.error;
    throw_errno("start " + plan.program + " (sandbox level " + to_string(level) + "): " + record.step);
  }
  state_->warden = warden;
  state_->status = std::move(status.ours);
  state_->drain.emplace(std::move(output.ours), output_limit);
  state_->receive_until(WardenWord::started, state_->patience);
}

SandboxedProcess::~SandboxedProcess() = default;
SandboxedProcess::SandboxedProcess(SandboxedProcess&&) noexcept = default;
SandboxedProcess& SandboxedProcess::operator=(SandboxedProcess&&) noexcept = default;

pid_t SandboxedProcess::pid() const { return state_->program; }

ProcessEnd SandboxedProcess::kill() {
  state_->kill();
  return state_->end;
}

ProcessEnd SandboxedProcess::wait(std::chrono::milliseconds limit) {
  state_->receive_until(WardenWord::ended, limit);
  return state_->end;
}

void SandboxedProcess::freeze(bool frozen) {
  state_->ask(frozen ? WardenDeed::stop : WardenDeed::go_on);
  state_->frozen = frozen;
}

bool SandboxedProcess::woken() {
  if (state_->frozen) {
    state_->ask(WardenDeed::look);
  }
  return state_->woken;
}

void SandboxedProcess::limit_memory(std::uint64_t bytes) {
  if (!state_->end.ended) {
    state_->order(WardenDeed::limit_memory, bytes);
  }
}

std::string SandboxedProcess::output() const { return state_->drain->text(); }

bool SandboxedProcess::output_cut() const { return state_->drain->cut(); }

}  // namespace mskb
