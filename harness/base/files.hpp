#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/unique_fd.hpp"

namespace mskb {

std::string read_file(const std::filesystem::path& path);  // throws InputError if it cannot be read

// Writes a temporary file beside `path`, syncs it and renames it: readers see the old text or the new one, never a part.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// $TMPDIR, else /tmp. Throws InputError where there is no such directory.
std::filesystem::path temporary_place();

// A directory that is removed with its contents when the object dies. It is locked meanwhile; each new one removes what killed processes of
// this user left behind: those in the same place that are older than a minute and not locked. Throws InputError where none can be made.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const std::filesystem::path& place = temporary_place());
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  UniqueFd lock_;
};

// The directory that holds tasks/, baselines/, optimizers/ and harness/: $MSKB_HOME, else the nearest one above the
// running program. Throws InputError when there is none.
std::filesystem::path home_directory();

// A sibling of the running program, e.g. mskb-keeper-cpu.
std::filesystem::path sibling_program(std::string_view name);

// $MSKB_CACHE, else $XDG_CACHE_HOME/mskb, else ~/.cache/mskb. Created when missing.
std::filesystem::path cache_directory();

}  // namespace mskb
