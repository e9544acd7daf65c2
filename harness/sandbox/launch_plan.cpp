#include "sandbox/launch_plan.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace mskb {

namespace fs = std::filesystem;

std::vector<fs::path>& hidden_directories() {
  static std::vector<fs::path> directories;
  return directories;
}

void hide_from_sandbox(const fs::path& directory) { hidden_directories().push_back(directory); }

namespace {

constexpr const char* passed_on[] = {
    "PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MODULE_LOADING", "NVIDIA_VISIBLE_DEVICES",
    "NVIDIA_DRIVER_CAPABILITIES",
};

// What a room leaves of the directories of /.
constexpr const char* system_directories[] = {"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "opt", "dev", "proc", "sys"};
// And of /etc: what the loader reads, and where links of /usr lead through.
constexpr const char* system_files[] = {"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"};

std::vector<std::string> directories_to_cover(bool room) {
  std::vector<std::string> covered{"/dev", "/tmp", "/dev/shm"};
  if (!room) {
    return covered;
  }
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/", error)) {
    const std::string name = entry.path().filename().string();
    const bool system = std::find(std::begin(system_directories), std::end(system_directories), name) != std::end(system_directories);
    if (!system && name != "tmp" && !entry.is_symlink(error) && entry.is_directory(error)) {
      covered.push_back(entry.path().string());
    }
  }
  return covered;
}

// What stays of /dev: what holds nothing, and the GPUs. Terminals, disks and the kernel's log are no candidate's business.
std::vector<fs::path> devices_to_keep() {
  std::vector<fs::path> devices;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/dev", error)) {
    const std::string name = entry.path().filename().string();
    constexpr const char* harmless[] = {"null", "zero", "full", "random", "urandom", "dri", "dxg"};
    if (name.starts_with("nvidia") || std::find(std::begin(harmless), std::end(harmless), name) != std::end(harmless)) {
      devices.push_back(entry.path());
    }
  }
  return devices;
}

void keep_if_covered(const std::vector<std::string>& covered, const fs::path& path, std::vector<KeptPath>& kept) {
  for (const std::string& cover : covered) {
    const fs::path inside = path.lexically_normal().lexically_relative(cover);
    if (inside.empty() || inside == "." || *inside.begin() == "..") {
      continue;
    }
    std::error_code error;
    KeptPath entry;
    entry.path = (fs::path(cover) / inside).string();
    entry.is_directory = fs::is_directory(path, error);
    if (!fs::exists(path, error)) {
      continue;
    }
    fs::path parent = cover;
    for (const fs::path& part : inside.parent_path()) {
      parent /= part;
      entry.parents.push_back(parent.string());
    }
    kept.push_back(std::move(entry));
  }
}

bool lies_in(const fs::path& path, const fs::path& directory) {
  const fs::path inside = path.lexically_normal().lexically_relative(directory);
  return !inside.empty() && *inside.begin() != "..";
}

// A directory is not hidden where that would hide the program with it, nor where it is covered anyway.
std::vector<std::string> directories_to_hide(const std::vector<std::string>& covered, const std::string& program) {
  std::vector<std::string> hidden;
  for (const fs::path& directory : hidden_directories()) {
    std::error_code error;
    const fs::path real = fs::canonical(directory, error);
    const bool is_covered = std::any_of(std::begin(covered), std::end(covered), [&](const std::string& cover) { return lies_in(real, cover); });
    if (!error && fs::is_directory(real, error) && !is_covered && !lies_in(program, real)) {
      hidden.push_back(real.string());
    }
  }
  return hidden;
}

// Since Linux 5.14 the process limit of a user namespace counts the processes of that namespace, before that all of the user.
bool process_limit_is_private() {
  utsname system{};
  int major = 0, minor = 0;
  return ::uname(&system) == 0 && std::sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
         (major > 5 || (major == 5 && minor >= 14));
}

}  // namespace

LaunchPlan::LaunchPlan(const fs::path& program_path, const std::vector<std::string>& arguments, SandboxLevel sandbox_level,
                       const fs::path& working_directory, const std::optional<Room>& room)
    : level(sandbox_level), directory(working_directory.string()) {
  std::error_code error;
  const fs::path real = fs::canonical(program_path, error);
  program = error ? fs::absolute(program_path).string() : real.string();
  const std::string uid = std::to_string(::geteuid()), gid = std::to_string(::getegid());
  uid_map = uid + " " + uid + " 1";
  gid_map = gid + " " + gid + " 1";
  limit_processes = level == SandboxLevel::full && process_limit_is_private();

  text_.push_back(program_path.string());
  text_.insert(text_.end(), arguments.begin(), arguments.end());
  const std::size_t argument_count = text_.size();
  text_.push_back("HOME=" + (level == SandboxLevel::full ? std::string("/tmp") : directory));
  for (const char* name : passed_on) {
    if (const char* value = std::getenv(name)) {
      text_.push_back(std::string(name) + "=" + value);
    }
  }
  for (std::size_t i = 0; i < text_.size(); ++i) {
    (i < argument_count ? argv : environment).push_back(text_[i].data());
  }
  argv.push_back(nullptr);
  environment.push_back(nullptr);

  if (level == SandboxLevel::full) {
    covered = directories_to_cover(room.has_value());
    hidden = directories_to_hide(covered, program);
    for (const fs::path& device : devices_to_keep()) {
      keep_if_covered(covered, device, kept);
    }
    keep_if_covered(covered, program, kept);
    const char* libraries = std::getenv("LD_LIBRARY_PATH");
    std::istringstream folders(libraries != nullptr ? libraries : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      keep_if_covered(covered, folder, kept);
      if (const fs::path target = fs::weakly_canonical(folder, error); !error && target != folder) {
        keep_if_covered(covered, target, kept);
      }
    }
    if (room) {
      for (const char* path : system_files) {
        keep_if_covered(covered, path, kept);
      }
      for (const fs::path& path : room->readable) {
        keep_if_covered(covered, path, kept);
      }
      const std::size_t before = kept.size();
      keep_if_covered(covered, directory, kept);
      if (kept.size() == before) {  // where nothing covers it all is read-only
        kept.push_back({directory, {}, true, true});
      }
      kept.back().writable = true;
    }
  }
}

}  // namespace mskb
