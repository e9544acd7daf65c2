#include "worker/cpu/cpu_runner.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "worker/cpu/guard_zones.hpp"
#include "worker/cpu/trouble.hpp"
#include "worker/field.hpp"
#include "simt/runtime.hpp"

namespace mskb::worker {

namespace {

using SteadyClock = std::chrono::steady_clock;

wire::LaunchEntry entry_of(const simt::Launch& launch) {
  wire::LaunchEntry entry{};
  set_field(entry.kernel, launch.name);
  for (std::size_t i = 0; i < 3; ++i) {
    entry.grid[i] = launch.grid[i];
    entry.block[i] = launch.block[i];
  }
  entry.static_shared = static_cast<std::uint32_t>(launch.static_shared_bytes);
  entry.dynamic_shared = static_cast<std::uint32_t>(launch.dynamic_shared_bytes);
  return entry;
}

void run_prologue(const wire::Call& request, const Invocation& invocation) {
  const std::uint32_t argument = request.prologue_argument;
  if (request.clock == wire::Clock::batch && request.prologue != wire::Prologue::none && invocation.buffers[argument] != nullptr) {
    std::memset(invocation.buffers[argument], 0, request.bytes[argument]);
  }
}

}  // namespace

CpuRunner::~CpuRunner() { unmap(); }

void CpuRunner::unmap() {
  if (arena_ != nullptr) {
    ::munmap(arena_, bytes_);
    arena_ = nullptr;
  }
}

wire::WorkerReady CpuRunner::introduce() {
  wire::WorkerReady ready{};
  set_field(ready.note, "the CPU backend has no device clocks");
  return ready;
}

std::byte* CpuRunner::map(UniqueFd arena, std::uint64_t bytes) {
  unmap();
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, arena.get(), 0);
  if (address == MAP_FAILED) {
    throw std::runtime_error("map the arena: " + std::string(std::strerror(errno)));
  }
  arena_ = static_cast<std::byte*>(address);
  bytes_ = bytes;
  return arena_;
}

wire::Called CpuRunner::call(const wire::Call& request, const Invocation& invocation) {
  simt::reset();
  run_prologue(request, invocation);
  Returned returned;
  const auto start = SteadyClock::now();
  {
    const GuardZones guards(arena_, bytes_, request);
    returned = invoke(invocation);
  }
  wire::Called called{};
  called.call_us = std::chrono::duration<double, std::micro>(SteadyClock::now() - start).count();
  returned = with_runtime_trouble(std::move(returned));
  called.status = returned.status;
  set_field(called.text, returned.text);
  inventory_.clear();
  for (const simt::Launch& launch : simt::take_launches()) {
    inventory_.add(entry_of(launch));
    ++called.activities;
  }
  called.launch_kinds = static_cast<std::uint32_t>(inventory_.entries().size());
  return called;
}

}  // namespace mskb::worker
