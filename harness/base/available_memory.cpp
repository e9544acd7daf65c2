#include "base/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace mskb {

namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;  // "max" is no number
}

// Of lines "<name> <number> ...".
std::optional<std::uint64_t> named_in(const fs::path& path, const std::string& wanted) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  for (std::string name, rest; file >> name >> number; std::getline(file, rest)) {
    if (name == wanted) {
      return number;
    }
  }
  return std::nullopt;
}

// What the group and those above it leave; `group` as /proc/self/cgroup names it, which need not be there in a container's view.
std::uint64_t left_in_groups(const fs::path& mount, fs::path group, const char* limit_file, const char* usage_file) {
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  for (;; group = group.parent_path()) {
    const fs::path folder = mount / group.relative_path();
    const auto limit = number_in(folder / limit_file), usage = number_in(folder / usage_file);
    if (limit && usage) {
      const std::uint64_t used = *usage - std::min(*usage, named_in(folder / "memory.stat", "inactive_file").value_or(0));
      left = std::min(left, *limit - std::min(*limit, used));
    }
    if (!group.has_relative_path()) {
      return left;
    }
  }
}

}  // namespace

std::uint64_t available_memory(const fs::path& root) {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max() / 1024;
  std::uint64_t available = named_in(root / "proc/meminfo", "MemAvailable:").value_or(unknown) * 1024;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "<number>:<controllers>:<path>"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") {
      available = std::min(available, left_in_groups(root / "sys/fs/cgroup", group, "memory.max", "memory.current"));
    } else if (controllers.find(",memory,") != std::string::npos) {
      available = std::min(available, left_in_groups(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes"));
    }
  }
  return available;
}

}  // namespace mskb
