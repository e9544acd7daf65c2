#include "sandbox/output_drain.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/errors.hpp"

namespace mskb {

OutputDrain::OutputDrain(UniqueFd pipe, std::size_t kept_bytes)
    : pipe_(std::move(pipe)), stop_(::eventfd(0, EFD_CLOEXEC)), kept_bytes_(kept_bytes) {
  if (!stop_) {
    throw_errno("eventfd");
  }
  ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
  // The thread inherits this mask: signals go to the threads of the program's own.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { read_to_end(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

OutputDrain::~OutputDrain() { finish(); }

void OutputDrain::finish() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(stop_.get(), &one, sizeof one);
    thread_.join();
  }
}

bool OutputDrain::read_some() {
  std::array<char, 65536> chunk;
  const ssize_t count = ::read(pipe_.get(), chunk.data(), chunk.size());
  if (count <= 0) {
    return count < 0 && errno == EINTR;
  }
  const std::lock_guard lock(mutex_);
  const std::size_t kept = std::min(kept_bytes_ - text_.size(), static_cast<std::size_t>(count));
  text_.append(chunk.data(), kept);
  cut_ = cut_ || kept < static_cast<std::size_t>(count);
  return true;
}

void OutputDrain::read_to_end() {
  for (;;) {
    std::array<pollfd, 2> polled{pollfd{pipe_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
    if (::poll(polled.data(), polled.size(), -1) < 0) {
      continue;
    }
    if (polled[1].revents != 0) {
      // At most one pipe's worth: a writer that still lives could go on for ever.
      for (int i = 0; i < 64 && read_some(); ++i) {
      }
      return;
    }
    if (polled[0].revents != 0 && !read_some() && (polled[0].revents & POLLIN) == 0) {
      return;  // nobody writes any more
    }
  }
}

std::string OutputDrain::text() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

bool OutputDrain::cut() const {
  const std::lock_guard lock(mutex_);
  return cut_;
}

}  // namespace mskb
