#include "worker_process.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mskb {

WorkerProcess::WorkerProcess(const std::string& program, Start start)
    : socket_(std::move(pair_.ours)),
      process_(std::string(MSKB_BINARY_DIR) + "/" + program, {"0"}, std::move(pair_.theirs), strongest_sandbox()),
      memory_(::memfd_create("arena", MFD_CLOEXEC)) {
  EXPECT_EQ(::ftruncate(memory_.get(), arena_bytes), 0);
  arena_ = static_cast<std::byte*>(::mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0));
  for (int i = 0; i < elements; ++i) {
    in()[i] = static_cast<float>(i);
    out()[i] = -1;
  }
  const bool ready = receive<wire::WorkerReady>(std::chrono::seconds(60)).has_value();
  EXPECT_TRUE(ready || start == Start::may_fail) << failure_ << process_.output();
}

WorkerProcess::~WorkerProcess() { ::munmap(arena_, arena_bytes); }

bool WorkerProcess::load(const std::string& object) {
  const UniqueFd file(::open(object.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(static_cast<bool>(file)) << object;
  return ask<wire::Loaded>(wire::LoadCandidate{}, file.get()).has_value();
}

bool WorkerProcess::map_arena() { return ask<wire::Loaded>(wire::MapArena{arena_bytes}, memory_.get()).has_value(); }

wire::Call WorkerProcess::request(int behaviour) const {
  wire::Call call{};
  call.clock = wire::Clock::call;
  call.argument_count = 4;
  call.roles[0] = wire::ArgumentRole::in;
  call.roles[1] = wire::ArgumentRole::out;
  call.roles[2] = call.roles[3] = wire::ArgumentRole::dim;
  call.offsets[0] = in_offset;
  call.offsets[1] = out_offset;
  call.bytes[0] = call.bytes[1] = elements * sizeof(float);
  call.values[2] = elements;
  call.values[3] = behaviour;
  return call;
}

bool WorkerProcess::correct() const {
  for (int i = 0; i < elements; ++i) {
    if (out()[i] != in()[i] + 1) {
      return false;
    }
  }
  return true;
}

}  // namespace mskb
