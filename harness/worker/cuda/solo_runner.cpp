#include "worker/cuda/solo_runner.hpp"

#include <algorithm>

#include "worker/cuda/trouble.hpp"
#include "worker/field.hpp"

namespace mskb::worker {

namespace {

struct Buffers {
  void* memory[wire::max_arguments] = {};
  ~Buffers() {
    for (void* each : memory) {
      cudaFree(each);
    }
  }
};

}  // namespace

SoloRunner::SoloRunner(int device) : device_(device) {
  require(cudaSetDevice(device), "while choosing the device");
  require(cudaFree(nullptr), "while creating the context");
}

std::byte* SoloRunner::map(UniqueFd arena, std::uint64_t bytes) {
  require(cudaDeviceSynchronize(), "before mapping an arena");
  arena_.reset();
  arena_ = std::make_unique<ArenaMapping>(std::move(arena), bytes, device_);
  return arena_->address();
}

wire::Called SoloRunner::call(const wire::Call& request, const Invocation& invocation) {
  Buffers own;
  Invocation copied = invocation;
  for (std::uint32_t i = 0; i < request.argument_count; ++i) {
    if (invocation.buffers[i] == nullptr) {
      continue;
    }
    require(cudaMalloc(&own.memory[i], std::max<std::uint64_t>(request.bytes[i], 1)), "while copying the arguments");
    copied.buffers[i] = own.memory[i];
    if (request.roles[i] != wire::ArgumentRole::out) {
      require(cudaMemcpy(own.memory[i], invocation.buffers[i], request.bytes[i], cudaMemcpyDeviceToDevice), "while copying the arguments");
    }
  }
  require(cudaDeviceSynchronize(), "while copying the arguments");
  Returned returned = invoke(copied);
  const cudaError_t launched = cudaPeekAtLastError();
  const cudaError_t synchronized = cudaDeviceSynchronize();
  if (synchronized != cudaSuccess) {
    returned = {wire::CallStatus::launch_failed, describe(synchronized, "during the candidate's call")};
  } else if (launched != cudaSuccess && returned.status == wire::CallStatus::ok) {
    returned = {wire::CallStatus::launch_failed, describe(launched, "left by a launch or call of the candidate")};
  }
  lost_ = synchronized != cudaSuccess && context_is_lost();
  for (std::uint32_t i = 0; i < request.argument_count && !lost_; ++i) {
    if (own.memory[i] != nullptr) {
      require(cudaMemcpy(invocation.buffers[i], own.memory[i], request.bytes[i], cudaMemcpyDeviceToDevice), "while copying the results");
    }
  }
  if (!lost_) {
    require(cudaDeviceSynchronize(), "while copying the results");
  }
  wire::Called called{};
  called.status = returned.status;
  set_field(called.text, returned.text);
  return called;
}

}  // namespace mskb::worker
