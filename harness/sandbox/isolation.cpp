#include "sandbox/isolation.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace mskb {

namespace {

constexpr std::size_t most_kept = 64;

bool write_text(const char* path, const char* text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  const ssize_t length = static_cast<ssize_t>(std::strlen(text));
  const bool written = ::write(file, text, static_cast<std::size_t>(length)) == length;
  ::close(file);
  return written;
}

struct MountAttributes {  // struct mount_attr of Linux 5.12, which older system headers lack
  std::uint64_t set, clear, propagation, user_namespace;
};

// Whether the mount at `path` and those below it may be written to. A kernel without the call leaves all as it was.
bool set_writable(const char* path, bool writable) {
  constexpr long call = 442;  // mount_setattr
  constexpr unsigned recursive = 0x8000;
  constexpr std::uint64_t read_only = 1;
  MountAttributes attributes{writable ? 0 : read_only, writable ? read_only : 0, 0, 0};
  return ::syscall(call, -1, path, recursive, &attributes, sizeof attributes) == 0 || errno == ENOSYS;
}

void put_back(const KeptPath& kept, int source, int failure) {
  for (const std::string& parent : kept.parents) {
    if (::mkdir(parent.c_str(), 0755) != 0 && errno != EEXIST) {
      fail_launch(failure, "make a directory in a fresh one");
    }
  }
  if (kept.is_directory) {
    ::mkdir(kept.path.c_str(), 0755);
  } else {
    const int file = ::open(kept.path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0755);
    ::close(file);
  }
  char from[32];
  std::snprintf(from, sizeof from, "/proc/self/fd/%d", source);
  if (::mount(from, kept.path.c_str(), nullptr, MS_BIND | (kept.is_directory ? MS_REC : 0), nullptr) != 0) {
    fail_launch(failure, "mount what stays visible");
  }
  if (kept.writable && !set_writable(kept.path.c_str(), true)) {
    fail_launch(failure, "make the working directory writable");
  }
}

void drop_capabilities(int failure) {
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; ++capability) {
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  if (::syscall(SYS_capset, &header, none) != 0) {
    fail_launch(failure, "drop capabilities");
  }
}

void limit(int resource, rlim_t value) {
  rlimit now{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
  rlimit wanted{value, value};
  if (now.rlim_max < value) {
    wanted = {now.rlim_max, now.rlim_max};
  }
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted);
}

}  // namespace

void fail_launch(int failure, const char* step) {
  LaunchFailure record{errno, {}};
  std::strncpy(record.step, step, sizeof record.step - 1);
  [[maybe_unused]] const ssize_t ignored = ::write(failure, &record, sizeof record);
  ::_exit(127);
}

void enter_isolation(const LaunchPlan& plan, int failure) {
  if (!write_text("/proc/self/setgroups", "deny") || !write_text("/proc/self/uid_map", plan.uid_map.c_str()) ||
      !write_text("/proc/self/gid_map", plan.gid_map.c_str())) {
    fail_launch(failure, "map the user into a new namespace");
  }
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    fail_launch(failure, "make the mounts private");
  }
  int sources[most_kept];
  const std::size_t kept_count = plan.kept.size() < most_kept ? plan.kept.size() : most_kept;
  for (std::size_t i = 0; i < kept_count; ++i) {
    sources[i] = ::open(plan.kept[i].path.c_str(), O_PATH | O_CLOEXEC);
  }
  if (!set_writable("/", false)) {  // device nodes stay writable
    fail_launch(failure, "make the file system read-only");
  }
  // A /proc that shows only the new pid namespace. Writable: the CUDA driver names its threads there.
  if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
    fail_launch(failure, "mount a fresh /proc");
  }
  // What root may change through /proc belongs to the whole machine.
  for (const char* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"}) {
    if (::mount(path, path, nullptr, MS_BIND | MS_REC, nullptr) != 0) {
      if (errno == ENOENT) {
        continue;
      }
      fail_launch(failure, "cover the machine's settings in /proc");
    }
    if (::mount(nullptr, path, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
      fail_launch(failure, "make the machine's settings read-only");
    }
  }
  for (const std::string& path : plan.hidden) {
    if (::mount("tmpfs", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "size=4k,mode=0500") != 0 && errno != ENOENT) {
      fail_launch(failure, "hide a directory");
    }
  }
  for (const std::string& path : plan.covered) {
    ::mkdir(path.c_str(), 0755);  // one below another that is covered
    if (::mount("tmpfs", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=256m,nr_inodes=65536,mode=0700") != 0 && errno != ENOENT) {
      fail_launch(failure, "cover a directory with a fresh one");
    }
  }
  for (std::size_t i = 0; i < kept_count; ++i) {
    put_back(plan.kept[i], sources[i], failure);
    ::close(sources[i]);
  }
  if (::mkdir(plan.directory.c_str(), 0700) != 0 && errno != EEXIST) {
    fail_launch(failure, "make the working directory");
  }
  drop_capabilities(failure);
}

void apply_limits(const LaunchPlan& plan, int failure) {
  if (plan.level != SandboxLevel::none) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 1024);
    limit(RLIMIT_FSIZE, rlim_t{256} << 20);
    if (plan.limit_processes) {
      limit(RLIMIT_NPROC, 512);
    }
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
      fail_launch(failure, "forbid new privileges");
    }
  }
  if (::chdir(plan.directory.c_str()) != 0) {
    fail_launch(failure, "enter the working directory");
  }
}

}  // namespace mskb
