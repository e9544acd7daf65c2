#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "base/unique_fd.hpp"

namespace mskb {

// A file that one process at a time appends whole pieces to.
class AppendFile {
 public:
  using Write = std::function<ssize_t(int, const void*, std::size_t)>;

  AppendFile() = default;
  // Creates the file when missing and locks it until this object dies. Throws InputError when another process holds the lock or the file cannot be
  // created. `write` replaces ::write in tests.
  static AppendFile open(const std::filesystem::path& path, Write write = {});

  std::uint64_t size() const { return size_; }
  // One write, then fsync. When the disk is full or fails, the file is cut back to its former size and HarnessError thrown.
  void append(std::string_view text);
  // Cuts the file at `size` and syncs it.
  void truncate(std::uint64_t size);

 private:
  std::filesystem::path path_;
  Write write_;
  UniqueFd file_;
  std::uint64_t size_ = 0;
};

}  // namespace mskb
