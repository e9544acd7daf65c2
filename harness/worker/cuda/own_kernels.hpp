#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace mskb::worker {

// An empty kernel on the default stream: what launching and waiting cost by themselves.
cudaError_t launch_null_kernel();

// A kernel of one thread that spins for that time. The first use measures the clock and waits for the device.
cudaError_t launch_delay(std::uint32_t nanoseconds);

}  // namespace mskb::worker
