#include "base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/unique_fd.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view temporary_prefix = "mskb-temporary-";
constexpr std::size_t temporary_suffix = 6;

UniqueFd open_directory(const fs::path& path) { return UniqueFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)); }

// Not what is mounted there, what another user made, or what its maker may not have locked yet.
bool is_left_behind(const UniqueFd& directory, const struct stat& of_place) {
  constexpr std::time_t time_to_lock = 60;
  struct stat status {};
  return directory && ::fstat(directory.get(), &status) == 0 && status.st_dev == of_place.st_dev && status.st_uid == ::geteuid() &&
         status.st_mtime + time_to_lock < std::time(nullptr) && ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
}

void remove_left_behind(const fs::path& place) {
  struct stat of_place {};
  if (::stat(place.c_str(), &of_place) != 0) {
    return;
  }
  std::error_code ignored;
  for (fs::directory_iterator entry(place, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename();
    if (!name.starts_with(temporary_prefix) || name.size() != temporary_prefix.size() + temporary_suffix) {
      continue;
    }
    const UniqueFd directory = open_directory(entry->path());
    if (is_left_behind(directory, of_place)) {
      std::error_code left;
      fs::remove_all(entry->path(), left);
    }
  }
}

}  // namespace

std::string read_file(const fs::path& path) {
  constexpr std::uintmax_t largest = std::uintmax_t{1} << 30;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    throw InputError(path.string() + ": is a directory; name a file");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(path.string() + ": is not a regular file; name one");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream || error) {
    throw InputError(path.string() + ": cannot be read; check that the file exists and is readable");
  }
  if (fs::file_size(path, error) > largest) {
    throw InputError(path.string() + ": has more than 1 GiB; name another file");
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  const std::string temporary = path.string() + ".tmp." + std::to_string(::getpid());
  UniqueFd file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file) {
    throw_errno("create " + temporary);
  }
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0) {
      const int error = errno;
      ::unlink(temporary.c_str());
      errno = error;
      throw_errno("write " + path.string());
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.get()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    throw_errno("write " + path.string());
  }
}

fs::path temporary_place() {
  const char* const named = std::getenv("TMPDIR");
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (error) {
    throw InputError(fmt::format("{}: is no directory for temporary files ({}); set TMPDIR to one",
                                 named != nullptr ? std::string("TMPDIR=") + named : "/tmp", error.message()));
  }
  return place;
}

TemporaryDirectory::TemporaryDirectory(const fs::path& place) {
  remove_left_behind(place);
  std::string pattern = (place / temporary_prefix).string() + std::string(temporary_suffix, 'X');
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw InputError(fmt::format("{}: no temporary directory can be made in it ({}); set TMPDIR to another", place.string(), std::strerror(errno)));
  }
  path_ = pattern;
  lock_ = open_directory(path_);
  if (!lock_) {
    const int error = errno;
    ::rmdir(path_.c_str());
    errno = error;
    throw_errno("lock " + path_.string());
  }
  ::flock(lock_.get(), LOCK_EX | LOCK_NB);  // where the file system cannot, nobody takes it for left behind either
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path home_directory() {
  if (const char* home = std::getenv("MSKB_HOME")) {
    return home;
  }
  for (fs::path folder = fs::read_symlink("/proc/self/exe").parent_path(); folder != folder.root_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / "tasks") && fs::exists(folder / "harness/include/mskb")) {
      return folder;
    }
  }
  throw InputError("tasks/ is not above this program; set MSKB_HOME to the checkout of MSKernelBench");
}

fs::path sibling_program(std::string_view name) {
  return fs::read_symlink("/proc/self/exe").parent_path() / name;
}

fs::path cache_directory() {
  fs::path folder;
  if (const char* cache = std::getenv("MSKB_CACHE")) {
    folder = cache;
  } else if (const char* xdg = std::getenv("XDG_CACHE_HOME")) {
    folder = fs::path(xdg) / "mskb";
  } else if (const char* user = std::getenv("HOME")) {
    folder = fs::path(user) / ".cache/mskb";
  } else {
    folder = temporary_place() / "mskb-cache";
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0) {
    throw InputError(folder.string() + ": the cache cannot be written there; set MSKB_CACHE to a directory that can");
  }
  return folder;
}

}  // namespace mskb
