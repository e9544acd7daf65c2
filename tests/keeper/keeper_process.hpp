#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "base/unique_fd.hpp"
#include "wire/keeper_messages.hpp"
#include "wire/layout.hpp"
#include "wire/socket.hpp"

namespace mskb::keeper_test {

// A keeper's own answer to a request that it refuses.
struct Refused : std::runtime_error {
  Refused(bool skips, const std::string& text) : std::runtime_error(text), skip(skips) {}
  bool skip;
};

// A running keeper with the socket to it.
class KeeperProcess {
 public:
  explicit KeeperProcess(const std::string& name = "mskb-keeper-cpu") {
    wire::SocketPair pair = wire::make_socket_pair();
    const std::string program = std::string(MSKB_BINARY_DIR) + "/" + name;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(pair.theirs.get(), 3);
      ::execl(program.c_str(), program.c_str(), "0", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    socket_ = std::move(pair.ours);
    pair.theirs.reset();
    facts_ = receive<wire::DeviceFacts>();
  }
  ~KeeperProcess() {
    socket_.reset();
    ::waitpid(pid_, nullptr, 0);
  }
  KeeperProcess(const KeeperProcess&) = delete;
  KeeperProcess& operator=(const KeeperProcess&) = delete;

  const wire::DeviceFacts& facts() const { return facts_; }
  int socket() const { return socket_.get(); }

  template <class Reply = wire::Done, class Message>
  Reply ask(const Message& message, int fd = -1, UniqueFd* received = nullptr) {
    if (!wire::send(socket_.get(), message, fd)) {
      throw std::runtime_error("the keeper is gone");
    }
    return receive<Reply>(received);
  }

  void load(const std::string& module) {
    const UniqueFd file(::open(module.c_str(), O_RDONLY | O_CLOEXEC));
    ask(wire::LoadModule{}, file.get());
  }

  // Closes our end and returns the keeper's exit code.
  int end() {
    socket_.reset();
    int status = -1;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  template <class Reply>
  Reply receive(UniqueFd* fd = nullptr) {
    std::uint32_t kind = 0;
    std::string body;
    if (wire::receive_packet(socket_.get(), kind, body, fd, std::chrono::seconds(60)) != wire::Received::message) {
      throw std::runtime_error("no answer from the keeper");
    }
    if (const auto failure = wire::decode<wire::Failure>(kind, body)) {
      throw Refused(failure->skip != 0, failure->text);
    }
    return wire::decode<Reply>(kind, body).value();
  }

  pid_t pid_ = -1;
  UniqueFd socket_;
  wire::DeviceFacts facts_{};
};

// A worker's view of an arena.
class MappedArena {
 public:
  MappedArena(KeeperProcess& keeper, std::uint32_t id, std::uint64_t bytes) {
    const auto opened = keeper.ask<wire::ArenaOpened>(wire::OpenArena{id, bytes}, -1, &file_);
    bytes_ = opened.bytes;
    void* data = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (data == MAP_FAILED) {
      throw std::runtime_error("map the arena");
    }
    data_ = static_cast<std::byte*>(data);
  }
  ~MappedArena() { ::munmap(data_, bytes_); }
  MappedArena(const MappedArena&) = delete;
  MappedArena& operator=(const MappedArena&) = delete;

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }
  int file() const { return file_.get(); }
  template <class T>
  T* at(std::uint64_t offset) const {
    return reinterpret_cast<T*>(data_ + offset);
  }

 private:
  UniqueFd file_;
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

inline wire::ArgumentSpec buffer(wire::ArgumentRole role, std::uint64_t elements, Fill fill, Acceptance accept = {},
                                 ElementType type = ElementType::f32) {
  return {role, type, elements, fill, accept, 0};
}

inline wire::ArgumentSpec number(wire::ArgumentRole role, double value) {
  return {role, role == wire::ArgumentRole::dim ? ElementType::i32 : ElementType::f32, 0, {}, {}, value};
}

inline Acceptance elementwise(double rel, double mag) { return {AcceptKind::elementwise, 0, rel, mag, 0, 0}; }

// modules/gate_oracle.hpp with n outputs.
inline wire::CaseSpec gate_case(std::uint64_t n, Acceptance accept = elementwise(1e-6, 0),
                                ElementType type = ElementType::f32) {
  wire::CaseSpec spec{};
  spec.argument_count = 3;
  spec.arguments[0] = buffer(wire::ArgumentRole::in, 2 * n, {FillKind::uniform, 0, -4, 4, 0}, {}, type);
  spec.arguments[1] = buffer(wire::ArgumentRole::out, n, {}, accept, type);
  spec.arguments[2] = number(wire::ArgumentRole::dim, static_cast<double>(n));
  spec.dim_count = 1;
  spec.dims[0] = static_cast<double>(n);
  spec.oracle_work = 1;
  spec.paper_rule = {PaperRuleKind::absolute, 0, 1e-2, 0};
  return spec;
}

// modules/rows_oracle.hpp with B rows of D elements and n elements to sort.
inline wire::CaseSpec rows_case(std::uint64_t B, std::uint64_t D, std::uint64_t n) {
  wire::CaseSpec spec{};
  spec.argument_count = 7;
  spec.arguments[0] = buffer(wire::ArgumentRole::in, B * D, {FillKind::uniform, 0, 0.5, 2, 0});
  spec.arguments[1] = buffer(wire::ArgumentRole::out, B * D, {}, {AcceptKind::normwise, 0, 0, 0, 1e-6, 1e-5});
  spec.arguments[2] = buffer(wire::ArgumentRole::out, 1, {}, elementwise(1e-7, 1e-5));
  spec.arguments[3] =
      buffer(wire::ArgumentRole::inout, n, {FillKind::uniform, 0, -1, 1, 0}, {AcceptKind::order, 0, 0, 0, 0, 0});
  spec.arguments[4] = number(wire::ArgumentRole::dim, static_cast<double>(B));
  spec.arguments[5] = number(wire::ArgumentRole::dim, static_cast<double>(D));
  spec.arguments[6] = number(wire::ArgumentRole::scalar, 1e-6);
  spec.dim_count = 2;
  spec.dims[0] = static_cast<double>(B);
  spec.dims[1] = static_cast<double>(D);
  spec.oracle_work = 1;
  return spec;
}

inline wire::Generate contents(std::uint64_t step) {
  wire::Generate request{};
  request.step = step;
  for (int k = 0; k < wire::max_arguments; ++k) {
    request.stream_keys[k] = step * 1000003 + static_cast<std::uint64_t>(k);
  }
  return request;
}

inline wire::Prepare preparation(std::uint64_t key, wire::Poison poison = wire::Poison::nan) {
  return {0, poison, key, key + 1, 0};
}

inline wire::Check whole_check() {
  wire::Check check{};
  check.whole = 1;
  check.sample_key = 99;
  check.relax = 1;
  return check;
}

}  // namespace mskb::keeper_test
