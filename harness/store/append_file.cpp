#include "store/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/errors.hpp"

namespace mskb {

AppendFile AppendFile::open(const std::filesystem::path& path, Write write) {
  AppendFile file;
  file.path_ = path;
  file.write_ = write ? std::move(write) : Write(::write);
  file.file_ = UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file.file_) {
    throw InputError(path.string() + ": cannot be written (" + std::strerror(errno) + "); choose another --out");
  }
  if (::flock(file.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      throw InputError(path.string() + ": another process is writing this run; wait for it or choose another --out");
    }
    throw_errno("lock " + path.string());
  }
  struct stat status {};
  if (::fstat(file.file_.get(), &status) != 0) {
    throw_errno("look at " + path.string());
  }
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

void AppendFile::append(std::string_view text) {
  int error = 0;
  for (std::string_view rest = text; !rest.empty() && error == 0;) {
    const ssize_t written = write_(file_.get(), rest.data(), rest.size());
    if (written > 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0 || errno != EINTR) {
      error = written == 0 ? ENOSPC : errno;
    }
  }
  if (error == 0 && ::fsync(file_.get()) != 0) {
    error = errno;
  }
  if (error == 0) {
    size_ += text.size();
    return;
  }
  const bool restored = ::ftruncate(file_.get(), static_cast<off_t>(size_)) == 0;
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw HarnessError((full ? "disk full: " : "write failed: ") + path_.string() + " (" + std::strerror(error) + "); " +
                     (restored ? "the records so far are intact" : "its last lines may be cut") +
                     "; free some space and go on with --resume");
}

void AppendFile::truncate(std::uint64_t size) {
  if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0 || ::fsync(file_.get()) != 0) {
    throw_errno("cut " + path_.string());
  }
  size_ = size;
}

}  // namespace mskb
