#include "sandbox/warden.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/errors.hpp"
#include "sandbox/descendants.hpp"
#include "sandbox/isolation.hpp"
#include "sandbox/process.hpp"

namespace mskb {

namespace {

// The child's descriptors.
constexpr int socket_fd = 3, status_fd = 4, failure_fd = 5, first_free_fd = 6;

// fork() without the C library's fork handlers, which take locks that another thread may have held.
pid_t plain_fork(unsigned long namespaces) {
  return static_cast<pid_t>(::syscall(SYS_clone, namespaces | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

void send_to_parent(WardenMessage message) {
  while (::send(status_fd, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

void place(int from, int to) {
  if (from >= 0) {
    ::dup2(from, to);
  }
}

// Keeps the plan's descriptors at fixed numbers and closes all others.
void arrange_descriptors(const LaunchPlan& plan) {
  // Out of the way first: any of them may have a number that is wanted.
  const auto aside = [](int fd) { return fd < 0 ? -1 : ::fcntl(fd, F_DUPFD, 64); };
  const int socket = aside(plan.socket), output = aside(plan.output), status = aside(plan.status), failure = aside(plan.failure);
  place(output, 1);
  place(output, 2);
  ::close(socket_fd);
  place(socket, socket_fd);
  place(status, status_fd);
  place(failure, failure_fd);
  ::fcntl(status_fd, F_SETFD, FD_CLOEXEC);
  ::fcntl(failure_fd, F_SETFD, FD_CLOEXEC);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  place(null, 0);
  if (::syscall(SYS_close_range, static_cast<unsigned>(first_free_fd), ~0u, 0u) != 0) {
    for (int fd = first_free_fd; fd < 4096; ++fd) {
      ::close(fd);
    }
  }
}

[[noreturn]] void become_program(const LaunchPlan& plan) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number = 1; number < NSIG; ++number) {
    ::signal(number, SIG_DFL);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  apply_limits(plan, failure_fd);
  send_to_parent({WardenWord::started, 0, 0, 0});
  ::execve(plan.program.c_str(), plan.argv.data(), plan.environment.data());
  fail_launch(failure_fd, "execute");
}

void signal_everything(const LaunchPlan& plan, pid_t program, int number) {
  if (plan.level == SandboxLevel::full) {
    ::kill(-1, number);  // all of this pid namespace
    return;
  }
  pid_t children[1024];
  const int count = list_children(children, 1024);
  for (int i = 0; i < count; ++i) {
    ::kill(-children[i], number);
    ::kill(children[i], number);
  }
  ::kill(-program, number);
}

// Ends what is left, whose pieces become the warden's children one generation after the other.
void end_everything(const LaunchPlan& plan, pid_t program) {
  signal_everything(plan, program, SIGSTOP);
  for (int round = 0; round < 100000; ++round) {
    signal_everything(plan, program, SIGKILL);
    pid_t children[1];
    if (::waitpid(-1, nullptr, 0) < 0 || list_children(children, 1) == 0) {
      return;
    }
  }
}

// Stops the program and tells whether something has made it run again before it was told to: a stop or a continuation that the kernel reports beside
// the one stop that was asked for.
class Stopper {
 public:
  Stopper(const LaunchPlan& plan, pid_t program) : plan_(plan), program_(program) {}

  // Waits at most 100 ms for all threads to stop, as one that sleeps in the kernel may take long; the others stand by then. A continuation that comes before
  // the first thread has noticed cancels a SIGSTOP without a trace, so that another follows.
  void stop() {
    event();  // of the time before
    stopped_ = woken_ = false;
    const std::int64_t begin = now_ns();
    std::int64_t asked = begin - again_ns;
    while (!stopped_ && !woken_ && now_ns() - begin < patience_ns) {
      if (now_ns() - asked >= again_ns) {
        signal_everything(plan_, program_, SIGSTOP);
        asked = now_ns();
      }
      look();
      ::sched_yield();
    }
  }

  void look() {
    const int what = event();
    woken_ |= what == CLD_CONTINUED || (what == CLD_STOPPED && stopped_);
    stopped_ |= what == CLD_STOPPED;
  }

  void go_on() {
    look();
    signal_everything(plan_, program_, SIGCONT);
    event();
  }

  int woken() const { return woken_ ? 1 : 0; }

 private:
  static constexpr std::int64_t patience_ns = 100'000'000, again_ns = 300'000;

  static std::int64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
  }

  // CLD_STOPPED, CLD_CONTINUED, or 0 where nothing has happened since the last event. An end is left to be read.
  int event() const {
    siginfo_t seen{};
    const bool any = ::waitid(P_PID, static_cast<id_t>(program_), &seen, WSTOPPED | WCONTINUED | WNOHANG) == 0 && seen.si_pid == program_;
    return any ? seen.si_code : 0;
  }

  const LaunchPlan& plan_;
  pid_t program_;
  bool stopped_ = false, woken_ = false;
};

// Looks now and then at how much memory and how many threads the warden's descendants hold.
class HoldingsWatch {
 public:
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  int poll_limit_ms() const { return limit_ > 0 && !is_over() ? period_ms : -1; }
  // What they held when they were first found to hold more than a limit, of that alone.
  const Held& over() const { return over_; }

  // True once, when they hold more than the limit.
  bool exceeded() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    const std::int64_t now_ms = std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1000000;
    if (limit_ == 0 || is_over() || now_ms < looked_ms_ + period_ms) {
      return false;
    }
    looked_ms_ = now_ms;
    const Held held = held_by_descendants();
    over_ = {held.bytes > limit_ ? held.bytes : 0, held.threads > most_threads ? held.threads : 0};
    return is_over();
  }

 private:
  static constexpr int period_ms = 50;

  bool is_over() const { return over_.bytes > 0 || over_.threads > 0; }

  std::uint64_t limit_ = 0;
  Held over_;
  std::int64_t looked_ms_ = 0;
};

[[noreturn]] void watch(const LaunchPlan& plan, pid_t program, int signals) {
  HoldingsWatch holdings;
  Stopper stopper(plan, program);
  for (;;) {
    pollfd polled[2] = {{signals, POLLIN, 0}, {status_fd, POLLIN, 0}};
    const int ready = ::poll(polled, 2, holdings.poll_limit_ms());
    if (holdings.exceeded()) {
      signal_everything(plan, program, SIGKILL);
    }
    if (ready < 0 && errno != EINTR) {  // it cannot watch any more: nobody runs unwatched
      end_everything(plan, program);
      send_to_parent({WardenWord::ended, SIGKILL, holdings.over().bytes, holdings.over().threads});
      ::_exit(0);
    }
    if (ready <= 0) {
      continue;
    }
    if (polled[0].revents != 0) {
      signalfd_siginfo information;
      [[maybe_unused]] const ssize_t ignored = ::read(signals, &information, sizeof information);
      int status = 0;
      for (pid_t ended; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended == program) {
          end_everything(plan, program);
          send_to_parent({WardenWord::ended, status, holdings.over().bytes, holdings.over().threads});
          ::_exit(0);
        }
      }
    }
    if (polled[1].revents != 0) {
      WardenOrder order{};
      if (::recv(status_fd, &order, sizeof order, 0) <= 0) {  // the parent is gone
        signal_everything(plan, program, SIGKILL);
        end_everything(plan, program);
        ::rmdir(plan.directory.c_str());  // if it is empty; nobody else is left to do it
        ::_exit(0);
      }
      switch (order.deed) {
        case WardenDeed::kill:
          ::kill(program, SIGKILL);
          break;
        case WardenDeed::stop:
          stopper.stop();
          send_to_parent({WardenWord::answered, stopper.woken(), 0, 0});
          break;
        case WardenDeed::look:
          stopper.look();
          send_to_parent({WardenWord::answered, stopper.woken(), 0, 0});
          break;
        case WardenDeed::go_on:
          stopper.go_on();
          send_to_parent({WardenWord::answered, stopper.woken(), 0, 0});
          break;
        case WardenDeed::limit_memory:
          holdings.set_limit(order.bytes);
          break;
      }
    }
  }
}

[[noreturn]] void run_warden(const LaunchPlan& plan) {
  ::setsid();
  arrange_descriptors(plan);
  ::prctl(PR_SET_NAME, "mskb-warden");
  if (plan.level == SandboxLevel::full) {
    enter_isolation(plan, failure_fd);
  } else {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  }
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // a copy of the parent's memory: nothing for the program to read
  sigset_t child_ended;
  ::sigemptyset(&child_ended);
  ::sigaddset(&child_ended, SIGCHLD);
  ::signal(SIGCHLD, SIG_DFL);
  const int signals = ::signalfd(-1, &child_ended, SFD_CLOEXEC);
  const pid_t program = plain_fork(0);
  if (program < 0) {
    fail_launch(failure_fd, "fork");
  }
  if (program == 0) {
    become_program(plan);
  }
  for (const int fd : {0, 1, 2, socket_fd, failure_fd}) {
    ::close(fd);
  }
  watch(plan, program, signals);
}

}  // namespace

pid_t start_warden(const LaunchPlan& plan) {
  const unsigned long namespaces =
      plan.level == SandboxLevel::full
          ? CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWUTS
          : 0;
  // No handler of the parent's may run in the child.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t warden = plain_fork(namespaces);
  if (warden == 0) {
    run_warden(plan);
  }
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (warden < 0) {
    errno = error;
    throw_errno(plan.level == SandboxLevel::full ? "start a process in new namespaces" : "fork");
  }
  return warden;
}

}  // namespace mskb
