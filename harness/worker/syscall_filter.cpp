#include "worker/syscall_filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mskb::worker {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "the system call filter knows x86-64 and aarch64"
#endif

constexpr std::uint32_t number_at = offsetof(seccomp_data, nr), architecture_at = offsetof(seccomp_data, arch);
constexpr std::uint32_t first_argument_at = offsetof(seccomp_data, args);  // its low half
constexpr std::uint32_t second_argument_at = offsetof(seccomp_data, args[1]);
constexpr std::uint32_t third_argument_at = offsetof(seccomp_data, args[2]);
constexpr std::uint32_t fourth_argument_at = offsetof(seccomp_data, args[3]);
constexpr long clone3 = 435;

constexpr long forbidden[] = {
#ifdef SYS_fork
    SYS_fork, SYS_vfork,
#endif
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_tkill, SYS_unshare, SYS_setns, SYS_mount,
    SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_by_handle_at,
};
// What else reaches into the kernel or other processes and has no use here: refused with EPERM, as many a kernel refuses it.
constexpr long refused[] = {
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_kexec_load, SYS_init_module, SYS_finit_module,
    SYS_delete_module,
    // Newer than some headers, of one number everywhere.
    424 /* pidfd_send_signal */, 425, 426, 427 /* io_uring */, 428 /* open_tree */, 429 /* move_mount */, 430, 431, 432, 433 /* fsopen ... fspick */,
    438 /* pidfd_getfd */, 442 /* mount_setattr */,
};
// Memory that lives on without being mapped, which nobody who looks at a process's maps sees.
constexpr long of_unmapped_memory[] = {SYS_memfd_create, SYS_shmget, 447 /* memfd_secret */};
// Of these the first argument is a process, only this one, and another the signal, not SIGCONT: a stop that has not begun yet would be gone without a trace.
constexpr struct {
  long call;
  std::uint32_t signal_at;
} of_own_process[] = {{SYS_kill, second_argument_at}, {SYS_tgkill, third_argument_at}, {SYS_rt_sigqueueinfo, second_argument_at}, {SYS_rt_tgsigqueueinfo, third_argument_at}};
// Of these it is a process or a thread, or 0 for the caller: not the parent, who is the warden.
constexpr long of_no_parent[] = {SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr};

// By these a descriptor sends signals, to any process of the user and of any number.
constexpr std::uint32_t fcntl_signals[] = {F_SETOWN, F_SETSIG, 15 /* F_SETOWN_EX */};
constexpr std::uint32_t ioctl_signals[] = {0x8901 /* FIOSETOWN */, 0x8902 /* SIOCSPGRP */};

class Filter {
 public:
  explicit Filter(bool unmapped_memory) {
    add(BPF_LD | BPF_W | BPF_ABS, architecture_at);
    unless(architecture, 1);
    give(SECCOMP_RET_KILL_PROCESS);
    add(BPF_LD | BPF_W | BPF_ABS, number_at);
#if defined(__x86_64__)
    // The second table of calls, with 32-bit pointers.
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1));
    give(SECCOMP_RET_KILL_PROCESS);
#endif
    for (const long call : forbidden) {
      on(call, 1);
      give(SECCOMP_RET_KILL_PROCESS);
    }
    for (const long call : refused) {
      on(call, 1);
      give(SECCOMP_RET_ERRNO | EPERM);
    }
    on(SYS_socket, 5);
    add(BPF_LD | BPF_W | BPF_ABS, first_argument_at);
    unless(AF_UNIX, 2);
    unless(AF_NETLINK, 1);
    give(SECCOMP_RET_ERRNO | EPERM);
    give(SECCOMP_RET_ALLOW);
    if (!unmapped_memory) {
      for (const long call : of_unmapped_memory) {
        on(call, 1);
        give(SECCOMP_RET_KILL_PROCESS);
      }
      // A shared mapping without a file keeps the pages that it gives back with madvise.
      on(SYS_mmap, 5);
      add(BPF_LD | BPF_W | BPF_ABS, fourth_argument_at);
      program_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 2));
      program_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 0, 1));
      give(SECCOMP_RET_KILL_PROCESS);
      give(SECCOMP_RET_ALLOW);
    }
    for (const auto& [call, signal_at] : of_own_process) {
      on(call, 6);
      add(BPF_LD | BPF_W | BPF_ABS, first_argument_at);
      program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(::getpid()), 0, 3));
      add(BPF_LD | BPF_W | BPF_ABS, signal_at);
      unless(SIGCONT, 1);
      give(SECCOMP_RET_ALLOW);
      give(SECCOMP_RET_KILL_PROCESS);
    }
    refuse_words(SYS_fcntl, fcntl_signals);
    refuse_words(SYS_ioctl, ioctl_signals);
    on(SYS_prlimit64, 7);
    add(BPF_LD | BPF_W | BPF_ABS, first_argument_at);
    unless(0, 4);
    unless(static_cast<std::uint32_t>(::getpid()), 3);
    unless(static_cast<std::uint32_t>(::getppid()), 1);
    give(SECCOMP_RET_ERRNO | EPERM);
    give(SECCOMP_RET_KILL_PROCESS);
    give(SECCOMP_RET_ALLOW);
    for (const long call : of_no_parent) {
      on(call, 4);
      add(BPF_LD | BPF_W | BPF_ABS, first_argument_at);
      unless(static_cast<std::uint32_t>(::getppid()), 1);
      give(SECCOMP_RET_ALLOW);
      give(SECCOMP_RET_KILL_PROCESS);
    }
    // Whose priorities, is the second argument, and a process, a group or a user by the first.
    on(SYS_setpriority, 6);
    add(BPF_LD | BPF_W | BPF_ABS, first_argument_at);
    on(PRIO_PROCESS, 3);
    add(BPF_LD | BPF_W | BPF_ABS, second_argument_at);
    unless(static_cast<std::uint32_t>(::getppid()), 1);
    give(SECCOMP_RET_ALLOW);
    give(SECCOMP_RET_KILL_PROCESS);
    // A process that is stopped runs again when a timer of its own sends it SIGCONT and it has a handler for that.
    on(SYS_rt_sigaction, 4);
    add(BPF_LD | BPF_W | BPF_ABS, first_argument_at);
    unless(SIGCONT, 1);
    give(SECCOMP_RET_ALLOW);
    give(SECCOMP_RET_KILL_PROCESS);
    // clone makes a process unless it makes a thread. What clone3 makes lies behind a pointer; the C library falls back to clone.
    on(SYS_clone, 4);
    add(BPF_LD | BPF_W | BPF_ABS, first_argument_at);
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
    give(SECCOMP_RET_ALLOW);
    give(SECCOMP_RET_KILL_PROCESS);
    on(clone3, 1);
    give(SECCOMP_RET_ERRNO | ENOSYS);
    give(SECCOMP_RET_ALLOW);
  }

  sock_fprog program() { return {static_cast<unsigned short>(program_.size()), program_.data()}; }

 private:
  void add(unsigned code, std::uint32_t value) { program_.push_back(BPF_STMT(static_cast<std::uint16_t>(code), value)); }
  void give(std::uint32_t verdict) { add(BPF_RET | BPF_K, verdict); }
  // The next `count` instructions are for the loaded word `value` only.
  void on(long value, std::uint8_t count) {
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, count));
  }
  // A call whose second argument is one of these words gets EPERM.
  template <std::size_t N>
  void refuse_words(long call, const std::uint32_t (&words)[N]) {
    on(call, static_cast<std::uint8_t>(N + 3));
    add(BPF_LD | BPF_W | BPF_ABS, second_argument_at);
    for (std::size_t i = 0; i < N; ++i) {
      unless(words[i], static_cast<std::uint8_t>(N - i));
    }
    give(SECCOMP_RET_ALLOW);
    give(SECCOMP_RET_ERRNO | EPERM);
  }
  // They are for every other word.
  void unless(std::uint32_t value, std::uint8_t count) {
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0));
  }

  std::vector<sock_filter> program_;
};

}  // namespace

bool forbid_other_processes(bool unmapped_memory) {
  if (::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
    return true;
  }
  Filter filter(unmapped_memory);
  sock_fprog program = filter.program();
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

}  // namespace mskb::worker
