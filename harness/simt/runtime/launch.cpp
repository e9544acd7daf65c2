#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "simt/include/mskb_simt/abi.h"
#include "simt/runtime.hpp"
#include "simt/runtime/crash_report.hpp"
#include "simt/runtime/device_limits.hpp"
#include "simt/runtime/errors.hpp"
#include "simt/runtime/faults.hpp"
#include "simt/runtime/graphs.hpp"
#include "simt/runtime/host_threads.hpp"
#include "simt/runtime/launches.hpp"
#include "simt/runtime/memory.hpp"
#include "simt/runtime/scheduler.hpp"
#include "simt/runtime/shared_memory.hpp"

namespace mskb::simt {
namespace {

// The inventory keeps this many; a candidate may launch in an endless loop.
constexpr std::size_t most_launches = 65536;

std::vector<Launch> launches;
std::map<const void*, std::size_t> dynamic_limits;
const char* running_kernel = nullptr;

// Why the device would refuse the launch; empty if it would not.
std::string refusal(const mskb_simt::LaunchRequest& request) {
  std::size_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    threads *= request.block[axis];
    const std::string name(1, "xyz"[axis]);
    if (request.grid[axis] == 0 || request.grid[axis] > device::max_grid[axis]) {
      return "gridDim." + name + " is " + std::to_string(request.grid[axis]) + "; the device allows 1 to " +
             std::to_string(device::max_grid[axis]);
    }
    if (request.block[axis] == 0 || request.block[axis] > device::max_block[axis]) {
      return "blockDim." + name + " is " + std::to_string(request.block[axis]) + "; the device allows 1 to " +
             std::to_string(device::max_block[axis]);
    }
  }
  if (threads > device::max_threads_per_block) {
    return "a block has " + std::to_string(threads) + " threads; the device allows " +
           std::to_string(device::max_threads_per_block);
  }
  const std::size_t limit = std::max(device::shared_per_block, dynamic_shared_limit(request.kernel));
  if (request.dynamic_shared > limit) {
    return std::to_string(request.dynamic_shared) + " bytes of dynamic shared memory; the kernel may have " +
           std::to_string(limit) + " (cudaFuncSetAttribute raises this to " +
           std::to_string(device::shared_per_block_optin) + ")";
  }
  return {};
}

void run(const mskb_simt::LaunchRequest& request, void (*body)(void*), void* state) {
  if (context_error() != cudaSuccess) return;
  const auto why = refusal(request);
  running_kernel = request.name;
  if (!why.empty()) {
    report_fault(FaultKind::launch_limit, {request.file, request.line}, why);
    running_kernel = nullptr;
    const bool too_much_shared = why.find("shared") != std::string::npos;
    remember(too_much_shared ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration);
    return;
  }
  report_crashes();
  begin_launch_memory(request.dynamic_shared);
  scheduler().run(request, body, state);
  const std::size_t static_shared = end_launch_memory();
  check_allocation_guards();
  running_kernel = nullptr;
  if (launches.size() < most_launches) {
    launches.push_back({request.name,
                        {request.grid[0], request.grid[1], request.grid[2]},
                        {request.block[0], request.block[1], request.block[2]},
                        request.dynamic_shared,
                        static_shared});
  }
}

}  // namespace

const char* current_kernel() { return running_kernel; }
void forget_launches() { launches.clear(); }
std::vector<Launch> take_launches() { return std::exchange(launches, {}); }

void set_dynamic_shared_limit(const void* kernel, std::size_t bytes) { dynamic_limits[kernel] = bytes; }

std::size_t dynamic_shared_limit(const void* kernel) {
  if (kernel == nullptr) {
    std::size_t most = 0;
    for (const auto& [address, bytes] : dynamic_limits) most = std::max(most, bytes);
    return most;
  }
  const auto known = dynamic_limits.find(kernel);
  return known == dynamic_limits.end() ? 0 : known->second;
}

void reset() {
  forget_faults();
  forget_launches();
  reset_errors();
}

void set_order(ScheduleOrder order, std::uint64_t seed) { scheduler().set_order(order, seed); }
void set_step_limit(std::uint64_t yields) { scheduler().set_step_limit(yields); }

}  // namespace mskb::simt

using namespace mskb::simt;

extern "C" void mskb_simt_launch(const mskb_simt::LaunchRequest* request, void (*body)(void*), void* state,
                                 void* (*copy)(void*), void (*destroy)(void*)) {
  OneHostThread alone(host_threads);
  if (scheduler().in_kernel()) {
    alone.unlock();
    abandon_launch(FaultKind::unsupported, {request->file, request->line},
                   "a kernel launches a kernel (dynamic parallelism)");
  }
  if (capturing(request->stream)) {
    const std::shared_ptr<void> kept(copy(state), destroy);
    capture(request->stream, [request = *request, body, kept] { run(request, body, kept.get()); });
    return;
  }
  run(*request, body, state);
}
