#include "wire/socket.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/errors.hpp"

namespace mskb::wire {

namespace {
constexpr std::size_t largest_packet = 65536;

// A packet is awaited awake for this long: within a step answers come that soon, and to wake a sleeping process costs 50 us and leaves its core cold.
constexpr std::chrono::microseconds awake{1000};
bool cores_to_spare() {
  static const bool many = ::sysconf(_SC_NPROCESSORS_ONLN) >= 8;
  return many;
}

union ControlBuffer {
  char bytes[CMSG_SPACE(sizeof(int))];
  cmsghdr aligned;
};
// The kernel hands over as many descriptors as the buffer has room for, in one packet as many as this.
constexpr std::size_t most_descriptors = 253;
union ReceivedControl {
  char bytes[CMSG_SPACE(most_descriptors * sizeof(int))];
  cmsghdr aligned;
};
}  // namespace

SocketPair make_socket_pair() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) {
    throw_errno("socketpair");
  }
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

bool send_packet(int socket, std::uint32_t kind, std::span<const std::byte> body, int fd) {
  iovec parts[2] = {{&kind, sizeof kind}, {const_cast<std::byte*>(body.data()), body.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  ControlBuffer control{};
  if (fd >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  for (;;) {
    if (::sendmsg(socket, &message, MSG_NOSIGNAL) >= 0) {
      return true;
    }
    if (errno == EPIPE || errno == ECONNRESET) {
      return false;
    }
    if (errno != EINTR) {
      throw_errno("send a message");
    }
  }
}

bool writable(int socket) {
  pollfd polled{socket, POLLOUT, 0};
  return ::poll(&polled, 1, 0) > 0;  // a closed end too: sending tells
}

bool readable(int socket) {
  pollfd polled{socket, POLLIN, 0};
  return ::poll(&polled, 1, 0) > 0 && (polled.revents & POLLIN) != 0;
}

Received receive_packet(int socket, std::uint32_t& kind, std::string& body, UniqueFd* fd, std::chrono::milliseconds limit) {
  const auto begin = std::chrono::steady_clock::now(), end = begin + limit;
  if (cores_to_spare()) {
    pollfd polled{socket, POLLIN, 0};
    while (::poll(&polled, 1, 0) == 0 && std::chrono::steady_clock::now() < std::min(begin + awake, end)) {
    }
  }
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd polled{socket, POLLIN, 0};
    const int ready = ::poll(&polled, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready > 0) {
      break;
    }
    if (ready == 0) {
      return Received::timed_out;
    }
    if (errno != EINTR) {
      throw_errno("poll");
    }
  }
  body.resize(largest_packet);
  iovec parts[2] = {{&kind, sizeof kind}, {body.data(), body.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  ReceivedControl control;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  const ssize_t count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  UniqueFd received;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); count >= 0 && header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      // All are ours now, however many were sent: the last is taken, the others are closed.
      const std::size_t sent = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (std::size_t i = 0; i < sent; ++i) {
        int value = -1;
        std::memcpy(&value, CMSG_DATA(header) + i * sizeof value, sizeof value);
        received.reset(value);
      }
    }
  }
  if (count < static_cast<ssize_t>(sizeof kind) || (message.msg_flags & MSG_TRUNC) != 0) {
    return Received::closed;
  }
  body.resize(static_cast<std::size_t>(count) - sizeof kind);
  if (fd != nullptr) {
    *fd = std::move(received);
  }
  return Received::message;
}

}  // namespace mskb::wire
