#pragma once
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.hpp"
#include "sandbox/process.hpp"
#include "wire/socket.hpp"
#include "wire/worker_messages.hpp"

namespace mskb {

// A worker program in the strongest sandbox, with an arena of two float buffers (in at 256, out at 4096) for fixtures of four arguments:
// in, out, n, behaviour.
class WorkerProcess {
 public:
  static constexpr int elements = 100;
  static constexpr std::uint64_t arena_bytes = 16384, in_offset = 256, out_offset = 4096;

  enum class Start { must_work, may_fail };

  explicit WorkerProcess(const std::string& program = "mskb-worker-cpu", Start start = Start::must_work);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // The reply, or nothing when the worker closed the socket, stayed silent for `limit`, or answered with something else (see failure()).
  template <class Reply, class Request>
  std::optional<Reply> ask(const Request& request, int fd = -1, std::chrono::milliseconds limit = std::chrono::seconds(60)) {
    return wire::send(socket_.get(), request, fd) ? receive<Reply>(limit) : std::nullopt;
  }
  template <class Reply>
  std::optional<Reply> receive(std::chrono::milliseconds limit) {
    std::uint32_t kind = 0;
    std::string body;
    if (wire::receive_packet(socket_.get(), kind, body, nullptr, limit) != wire::Received::message) {
      return std::nullopt;
    }
    if (const auto failure = wire::decode<wire::WorkerFailure>(kind, body)) {
      failure_ = failure->text;
    }
    return wire::decode<Reply>(kind, body);
  }

  bool load(const std::string& object);  // a path
  bool map_arena();
  wire::Call request(int behaviour) const;
  std::optional<wire::Called> call(int behaviour) { return ask<wire::Called>(request(behaviour)); }

  float* in() const { return reinterpret_cast<float*>(arena_ + in_offset); }
  float* out() const { return reinterpret_cast<float*>(arena_ + out_offset); }
  bool correct() const;  // every out is in + 1

  const std::string& failure() const { return failure_; }
  SandboxedProcess& process() { return process_; }
  ProcessEnd end() { return process_.wait(std::chrono::seconds(60)); }

 private:
  wire::SocketPair pair_ = wire::make_socket_pair();
  UniqueFd socket_;
  SandboxedProcess process_;
  UniqueFd memory_;
  std::byte* arena_ = nullptr;
  std::string failure_;
};

inline std::string worker_fixture(const std::string& name) { return std::string(MSKB_WORKER_FIXTURES) + "/" + name + ".so"; }

}  // namespace mskb
