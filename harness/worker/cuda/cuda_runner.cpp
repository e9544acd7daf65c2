#include "worker/cuda/cuda_runner.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>

#include "worker/cuda/own_kernels.hpp"
#include "worker/cuda/trouble.hpp"
#include "worker/field.hpp"

namespace mskb::worker {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t null_launches = 6;  // the last one is measured

double microseconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::micro>(SteadyClock::now() - start).count();
}

cpu_set_t allowed_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ::sched_getaffinity(0, sizeof allowed, &allowed);
  return allowed;
}

// This thread and those it starts from now on.
void stay_on_last_cores(int count) {
  const cpu_set_t allowed = allowed_cores();
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  for (int core = CPU_SETSIZE - 1; core >= 0 && CPU_COUNT(&chosen) < count; --core) {
    if (CPU_ISSET(core, &allowed)) {
      CPU_SET(core, &chosen);
    }
  }
  ::sched_setaffinity(0, sizeof chosen, &chosen);
}

}  // namespace

// All workers on the same two cores, away from the harness and the keeper, and their calls on the same one: a process that stays on a core of its
// own measures what tells the cores apart. The driver's threads, which start here, have both.
CudaRunner::CudaRunner(int device) : device_(device) {
  const cpu_set_t allowed = allowed_cores();
  const bool plenty = CPU_COUNT(&allowed) >= 6;
  if (plenty) {
    stay_on_last_cores(2);
  }
  ActivityRecorder& recorder = ActivityRecorder::instance();
  note_ = recorder.open();
  require(cudaSetDevice(device), "while choosing the device");
  require(cudaFree(nullptr), "while creating the context");
  for (cudaEvent_t* event : {&start_, &stop_, &idle_}) {
    require(cudaEventCreate(event), "while creating an event");
  }
  // No call may keep lines in the cache for the next one. Devices without such lines refuse, which is as good.
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
  cudaGetLastError();
  require(launch_null_kernel(), "while launching a kernel");
  require(cudaDeviceSynchronize(), "while running a kernel");
  if (recorder.available() && !(recorder.record(true) && recorder.record(false))) {
    note_ = recorder.refusal();
  }
  if (plenty) {
    stay_on_last_cores(1);
  }
}

wire::WorkerReady CudaRunner::introduce() {
  wire::WorkerReady ready{};
  ready.activity_available = ActivityRecorder::instance().available();
  set_field(ready.note, note_);
  return ready;
}

std::byte* CudaRunner::map(UniqueFd arena, std::uint64_t bytes) {
  require(cudaDeviceSynchronize(), "before mapping an arena");
  arena_.reset();
  arena_ = std::make_unique<ArenaMapping>(std::move(arena), bytes, device_);
  return arena_->address();
}

wire::Called CudaRunner::call(const wire::Call& request, const Invocation& invocation) {
  cudaGetLastError();  // what earlier calls left is not this one's
  wire::Called called{};
  const Returned returned = request.clock == wire::Clock::batch ? call_batch(request, invocation, called)
                                                                : call_once(request, invocation, called);
  called.status = returned.status;
  set_field(called.text, returned.text);
  return called;
}

// A synchronize that fails outweighs what the candidate says, which is often a consequence; an error left by a launch does not.
void CudaRunner::fail(Returned& returned, cudaError_t launched, cudaError_t synchronized) {
  if (synchronized != cudaSuccess) {
    returned = {wire::CallStatus::launch_failed, describe(synchronized, "during the candidate's call")};
  } else if (launched != cudaSuccess && returned.status == wire::CallStatus::ok) {
    returned = {wire::CallStatus::launch_failed, describe(launched, "left by a launch or call of the candidate")};
  }
  lost_ = (launched != cudaSuccess || synchronized != cudaSuccess) && context_is_lost();
}

// The device has served the keeper, and switching it to this process takes over 100 us; the first launches after that are slow. Kernels that do
// nothing keep both out of the window.
Returned CudaRunner::call_once(const wire::Call& request, const Invocation& invocation, wire::Called& called) {
  ActivityRecorder& recorder = ActivityRecorder::instance();
  const bool recorded = recorder.record(request.clock == wire::Clock::span) && request.clock == wire::Clock::span;
  if (request.delay_ns > 0 && !delay_measured_) {
    launch_delay(1);  // measures the clock outside the window
    cudaDeviceSynchronize();
    recorder.collect(0, 0, inventory_);
    delay_measured_ = true;
  }
  cudaDeviceSynchronize();
  const std::uint64_t begin = recorded ? recorder.now() : 0;
  if (recorded) {
    inventory_.clear();
  }
  std::uint64_t null_entry = 0, null_done = 0;
  for (std::size_t i = 0; i < null_launches; ++i) {
    null_entry = recorded ? recorder.now() : 0;
    launch_null_kernel();
    cudaDeviceSynchronize();
    null_done = recorded ? recorder.now() : 0;
  }

  const SteadyClock::time_point start = SteadyClock::now();
  const std::uint64_t entry = recorded ? recorder.now() : 0;
  Returned returned = invoke(invocation);
  cudaError_t launched = cudaPeekAtLastError();
  if (request.delay_ns > 0 && launched == cudaSuccess) {
    launched = launch_delay(request.delay_ns);
  }
  const cudaError_t synchronized = cudaDeviceSynchronize();
  const std::uint64_t done = recorded ? recorder.now() : 0;
  called.call_us = microseconds_since(start);

  fail(returned, launched, synchronized);
  if (recorded && !lost_) {
    const std::vector<Activity> activities = recorder.collect(begin, null_launches, inventory_);
    const auto own = activities.begin() + static_cast<std::ptrdiff_t>(std::min(null_launches, activities.size()));
    if (own != activities.begin()) {
      wire::Called null_kernel{};
      fill_device_clocks({*std::prev(own)}, null_entry, null_done, null_kernel);
      called.null_span_us = null_kernel.span_us;
      called.null_host_us = null_kernel.lead_us + null_kernel.tail_us;
    }
    fill_device_clocks({own, activities.end()}, entry, done, called);
    called.launch_kinds = static_cast<std::uint32_t>(inventory_.entries().size());
  }
  return returned;
}

cudaError_t CudaRunner::run_prologue(const wire::Call& request, const Invocation& invocation) const {
  void* buffer = invocation.buffers[request.prologue_argument];
  const std::size_t bytes = request.bytes[request.prologue_argument];
  switch (buffer != nullptr ? request.prologue : wire::Prologue::none) {
    case wire::Prologue::copy_zero:
      return cudaMemcpy(buffer, zeros_.data(), bytes, cudaMemcpyHostToDevice);
    case wire::Prologue::set_zero:
      return cudaMemset(buffer, 0, bytes);
    case wire::Prologue::none:
      break;
  }
  return cudaSuccess;
}

Returned CudaRunner::call_batch(const wire::Call& request, const Invocation& invocation, wire::Called& called) {
  ActivityRecorder::instance().record(false);
  if (request.prologue == wire::Prologue::copy_zero) {
    zeros_.resize(std::max<std::size_t>(zeros_.size(), request.bytes[request.prologue_argument]));
  }
  Returned returned;
  cudaError_t prologue = cudaSuccess;
  const auto repeat = [&](std::uint32_t times) {
    for (std::uint32_t i = 0; i < times && returned.status == wire::CallStatus::ok && prologue == cudaSuccess; ++i) {
      prologue = run_prologue(request, invocation);
      returned = invoke(invocation);
    }
  };
  repeat(request.warmups);
  cudaError_t synchronized = cudaDeviceSynchronize();
  if (synchronized == cudaSuccess && returned.status == wire::CallStatus::ok) {
    const SteadyClock::time_point start = SteadyClock::now();
    cudaEventRecord(start_);
    repeat(request.repeats);
    cudaEventRecord(stop_);
    cudaEventSynchronize(stop_);
    const SteadyClock::time_point stopped = SteadyClock::now();
    synchronized = cudaDeviceSynchronize();
    const double outlived_us = microseconds_since(stopped);
    cudaEventRecord(idle_);
    cudaEventSynchronize(idle_);
    called.call_us = microseconds_since(start) / std::max(request.repeats, 1u);
    // Work on streams that do not wait for the default stream may go on after the event: then the idle device counts.
    constexpr double an_idle_synchronize_us = 50;
    float elapsed_ms = 0;
    cudaEventElapsedTime(&elapsed_ms, start_, outlived_us > an_idle_synchronize_us ? idle_ : stop_);
    called.batch_us = static_cast<double>(elapsed_ms) * 1e3 / std::max(request.repeats, 1u);
  }
  cudaError_t launched = cudaGetLastError();
  if (launched == cudaSuccess) {
    launched = prologue;
  }
  fail(returned, launched, synchronized);
  return returned;
}

}  // namespace mskb::worker
