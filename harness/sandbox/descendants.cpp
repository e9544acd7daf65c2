#include "sandbox/descendants.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace mskb {

namespace {

// Reads a small file of /proc; what does not fit is left out.
template <std::size_t N>
const char* read_text(const char* path, char (&text)[N]) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t length = file < 0 ? 0 : ::read(file, text, N - 1);
  ::close(file);
  text[length > 0 ? length : 0] = '\0';
  return text;
}

// A list of numbers with a space behind each.
int read_children(const char* path, pid_t* children, int most) {
  char text[8192];
  const char* at = read_text(path, text);
  int count = 0;
  for (char* end = nullptr; count < most; at = end) {
    const long number = std::strtol(at, &end, 10);
    if (end == at || *end != ' ') {
      break;
    }
    children[count++] = static_cast<pid_t>(number);
  }
  return count;
}

// A process's children are listed thread by thread.
int children_of(pid_t process, pid_t* children, int most) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/task", process);
  const int directory = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int count = 0;
  alignas(dirent64) char entries[4096];
  for (long bytes; directory >= 0 && (bytes = ::syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0;) {
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      if (entry->d_name[0] != '.') {
        std::snprintf(path, sizeof path, "/proc/%d/task/%.10s/children", process, entry->d_name);
        count += read_children(path, children + count, most - count);
      }
    }
  }
  ::close(directory);
  return count;
}

Held held_by(pid_t process) {
  char path[32], text[8192];
  std::snprintf(path, sizeof path, "/proc/%d/status", process);
  read_text(path, text);
  std::uint64_t kib = 0;
  for (const char* field : {"\nRssAnon:", "\nRssShmem:", "\nVmPTE:", "\nVmSwap:"}) {
    if (const char* found = std::strstr(text, field)) {
      kib += std::strtoull(found + std::strlen(field), nullptr, 10);
    }
  }
  const char* const threads = std::strstr(text, "\nThreads:");
  return {kib * 1024, threads == nullptr ? 0 : std::strtoull(threads + std::strlen("\nThreads:"), nullptr, 10)};
}

}  // namespace

int list_children(pid_t* children, int most) { return read_children("/proc/thread-self/children", children, most); }

Held held_by_descendants() {
  constexpr int most = 4096;
  pid_t found[most];
  int count = list_children(found, most);
  Held all;
  for (int i = 0; i < count; ++i) {
    const Held held = held_by(found[i]);
    all.bytes += held.bytes;
    all.threads += held.threads;
    count += children_of(found[i], found + count, most - count);
  }
  return all;
}

}  // namespace mskb
