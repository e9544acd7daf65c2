#include "base/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/errors.hpp"
#include "base/unique_fd.hpp"

namespace mskb {

namespace fs = std::filesystem;

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

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (fs::temp_directory_path() / "mskb-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw_errno("create a temporary directory");
  }
  path_ = pattern;
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
    folder = fs::temp_directory_path() / "mskb-cache";
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0) {
    throw InputError(folder.string() + ": the cache cannot be written there; set MSKB_CACHE to a directory that can");
  }
  return folder;
}

}  // namespace mskb
