#include "store/append_file.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb {
namespace {

using testing::HasSubstr;

class AppendFileTest : public testing::Test {
 protected:
  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "records";
};

TEST_F(AppendFileTest, AppendsInOneWrite) {
  int writes = 0;
  AppendFile file = AppendFile::open(path_, [&](int fd, const void* data, std::size_t size) {
    ++writes;
    return ::write(fd, data, size);
  });
  file.append(std::string(1 << 20, 'x'));
  EXPECT_EQ(writes, 1);
  EXPECT_EQ(file.size(), 1u << 20);
  file.append("y");
  EXPECT_EQ(read_file(path_), std::string(1 << 20, 'x') + "y");
}

// A disk with room for `room` bytes more.
AppendFile::Write disk_with_room(std::size_t room, int error) {
  return [room, error](int fd, const void* data, std::size_t size) mutable -> ssize_t {
    if (room == 0) {
      errno = error;
      return -1;
    }
    const ssize_t written = ::write(fd, data, std::min(size, room));
    room -= static_cast<std::size_t>(written);
    return written;
  };
}

TEST_F(AppendFileTest, DiskFullLeavesTheFileAsItWas) {
  for (const std::size_t room : {0, 1, 9, 10}) {
    write_file_atomically(path_, "first\n");
    AppendFile file = AppendFile::open(path_, disk_with_room(room, ENOSPC));
    try {
      file.append("second and third\n");
      FAIL() << "room for " << room;
    } catch (const HarnessError& error) {
      EXPECT_THAT(error.what(), HasSubstr("disk full: "));
      EXPECT_THAT(error.what(), HasSubstr("--resume"));
    }
    EXPECT_EQ(read_file(path_), "first\n");
    EXPECT_EQ(file.size(), 6u);
  }
}

TEST_F(AppendFileTest, OtherWriteErrorsAreNotCalledFull) {
  AppendFile file = AppendFile::open(path_, disk_with_room(3, EIO));
  try {
    file.append("text\n");
    FAIL();
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(), HasSubstr("write failed: "));
  }
  EXPECT_EQ(read_file(path_), "");
}

TEST_F(AppendFileTest, GoesOnAfterInterruptionsAndShortWrites) {
  bool interrupt = false;
  AppendFile file = AppendFile::open(path_, [&](int fd, const void* data, std::size_t size) -> ssize_t {
    interrupt = !interrupt;
    if (interrupt) {
      errno = EINTR;
      return -1;
    }
    return ::write(fd, data, std::min<std::size_t>(size, 2));
  });
  file.append("abcdefg");
  EXPECT_EQ(read_file(path_), "abcdefg");
}

TEST_F(AppendFileTest, OneWriterAtATime) {
  {
    AppendFile file = AppendFile::open(path_);
    EXPECT_THROW(AppendFile::open(path_), InputError);
    const pid_t child = ::fork();
    if (child == 0) {
      // The child of the lock's holder is another process all the same.
      try {
        AppendFile::open(path_);
      } catch (const InputError&) {
        ::_exit(7);
      }
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 7);
  }
  EXPECT_NO_THROW(AppendFile::open(path_));
}

TEST_F(AppendFileTest, NamesAPlaceThatCannotBeWritten) {
  try {
    AppendFile::open(directory_.path() / "missing" / "records");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("choose another --out"));
  }
}

}  // namespace
}  // namespace mskb
