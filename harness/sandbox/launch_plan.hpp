#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.hpp"
#include "sandbox/process.hpp"

namespace mskb {

// A file or directory that stays visible although a fresh directory covers the place where it is.
struct KeptPath {
  std::string path;
  std::vector<std::string> parents;  // directories to make again, outermost first
  bool is_directory = false;
  bool writable = false;
};

std::vector<std::filesystem::path>& hidden_directories();

// Everything that the child needs, made before the fork: between fork and exec nothing may allocate, as another thread of the parent may
// have held the allocator's lock.
struct LaunchPlan {
  LaunchPlan(const std::filesystem::path& program, const std::vector<std::string>& arguments, SandboxLevel level,
             const std::filesystem::path& directory, const std::optional<Room>& room = std::nullopt);
  LaunchPlan(const LaunchPlan&) = delete;
  LaunchPlan& operator=(const LaunchPlan&) = delete;

  SandboxLevel level;
  std::string program;
  std::string directory;  // working directory; at level full and without a room, made inside the fresh /tmp
  std::string uid_map, gid_map;
  std::vector<std::string> covered;  // by fresh directories
  std::vector<KeptPath> kept;
  std::vector<std::string> hidden;  // directories that an empty one covers
  bool limit_processes = false;  // the kernel counts this user namespace's processes alone
  std::vector<char*> argv, environment;  // null-terminated

  // Descriptors of the parent that the child takes over; -1: none.
  int socket = -1, output = -1, status = -1, failure = -1;

 private:
  std::vector<std::string> text_;
};

// Why a child could not start: sent through LaunchPlan::failure.
struct LaunchFailure {
  int error;
  char step[60];
};

}  // namespace mskb
