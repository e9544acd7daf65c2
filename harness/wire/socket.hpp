#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include "base/unique_fd.hpp"

namespace mskb::wire {

// One end of a SEQPACKET socket pair. A message is one packet: a 32-bit kind, then the struct's bytes. Every struct is
// trivially copyable, of fixed size, and carries its kind as `static constexpr std::uint32_t kind`.
struct SocketPair {
  UniqueFd ours, theirs;
};
SocketPair make_socket_pair();  // both close-on-exec

enum class Received { message, closed, timed_out };

// Whether a packet can be sent without waiting: where the other end does not read, its queue is full after some hundred.
bool writable(int socket);

// Sends one packet, with at most one descriptor beside it; waits while the queue is full. False when the other end is closed.
bool send_packet(int socket, std::uint32_t kind, std::span<const std::byte> body, int fd = -1);

// Whether a packet (or the end) is waiting to be read.
bool readable(int socket);

// Waits for one packet. `kind` and `body` (resized to what came) are set for Received::message only.
Received receive_packet(int socket, std::uint32_t& kind, std::string& body, UniqueFd* fd, std::chrono::milliseconds limit);

template <class T>
bool send(int socket, const T& message, int fd = -1) {
  static_assert(std::is_trivially_copyable_v<T>);
  return send_packet(socket, T::kind, std::as_bytes(std::span(&message, 1)), fd);
}

// What came where a T was expected. A packet of another kind or size is a protocol error (HarnessError on the trusted side).
template <class T>
std::optional<T> decode(std::uint32_t kind, const std::string& body) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (kind != T::kind || body.size() != sizeof(T)) {
    return std::nullopt;
  }
  T message;
  __builtin_memcpy(&message, body.data(), sizeof message);
  return message;
}

}  // namespace mskb::wire
