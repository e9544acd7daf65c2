#include "base/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "base/errors.hpp"

namespace mskb {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Sets an environment variable for the life of the object.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) {
      old_ = old;
      had_ = true;
    }
    ::setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { had_ ? ::setenv(name_, old_.c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

TEST(Files, ReadsWhatWasWritten) {
  const TemporaryDirectory folder;
  const std::string text("a\0b\n", 4);
  write_file_atomically(folder.path() / "file", text);
  EXPECT_EQ(read_file(folder.path() / "file"), text);
  write_file_atomically(folder.path() / "file", "new");
  EXPECT_EQ(read_file(folder.path() / "file"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Files, NamesAFileThatCannotBeRead) {
  const TemporaryDirectory folder;
  try {
    read_file(folder.path() / "absent");
    FAIL() << "an absent file was read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("absent: cannot be read; check that the file exists"));
  }
  EXPECT_THROW(read_file(folder.path()), InputError);
}

TEST(Files, RefusesToWriteIntoAnAbsentDirectory) {
  const TemporaryDirectory folder;
  EXPECT_THROW(write_file_atomically(folder.path() / "absent" / "file", "text"), HarnessError);
}

TEST(Files, TemporaryDirectoriesVanishWithTheirContents) {
  fs::path path;
  {
    const TemporaryDirectory folder;
    path = folder.path();
    fs::create_directories(path / "a/b");
    write_file_atomically(path / "a/b/file", "text");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(Files, TemporaryDirectoriesOfKilledProcessesAreRemoved) {
  const TemporaryDirectory place;
  const TemporaryDirectory held(place.path());
  const auto make = [&](const std::string& name, std::chrono::minutes age) {
    const fs::path path = place.path() / name;
    fs::create_directories(path / "sources");
    write_file_atomically(path / "sources/candidate.cu", "text");
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
    return path;
  };
  const fs::path left = make("mskb-temporary-abcdef", 2min);
  const fs::path fresh = make("mskb-temporary-ghijkl", 0min);
  const fs::path other = make("mskb-temporary-notes", 2min);
  fs::last_write_time(held.path(), fs::file_time_type::clock::now() - 2min);
  const fs::path target = make("target", 2min);
  fs::create_directory_symlink(target, place.path() / "mskb-temporary-mnopqr");
  const TemporaryDirectory next(place.path());
  EXPECT_FALSE(fs::exists(left));
  for (const fs::path& kept : {held.path(), next.path(), fresh, other, target / "sources/candidate.cu"}) {
    EXPECT_TRUE(fs::exists(kept)) << kept;
  }
}

TEST(Files, ATemporaryPlaceThatIsNoneIsNamed) {
  const TemporaryDirectory folder;
  const ScopedVariable place("TMPDIR", folder.path() / "absent");
  try {
    const TemporaryDirectory another;
    FAIL() << "made in " << another.path();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("TMPDIR=" + (folder.path() / "absent").string() + ": is no directory"));
  }
}

TEST(Files, ATemporaryPlaceWithoutRoomIsNamed) {
  try {
    const TemporaryDirectory another("/proc");
    FAIL() << "made in " << another.path();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("/proc: no temporary directory can be made in it"));
  }
}

TEST(Files, CacheDirectoryFollowsTheEnvironment) {
  const TemporaryDirectory folder;
  const ScopedVariable cache("MSKB_CACHE", folder.path() / "deep/cache");
  EXPECT_EQ(cache_directory(), folder.path() / "deep/cache");
  EXPECT_TRUE(fs::is_directory(folder.path() / "deep/cache"));
}

TEST(Files, HomeDirectoryFollowsTheEnvironment) {
  const ScopedVariable home("MSKB_HOME", "/somewhere");
  EXPECT_EQ(home_directory(), "/somewhere");
}

TEST(Files, SiblingProgramsLieBesideThisOne) {
  EXPECT_EQ(sibling_program("other"), fs::read_symlink("/proc/self/exe").parent_path() / "other");
}

}  // namespace
}  // namespace mskb
