#pragma once
#include <cuda_runtime.h>

#include <string>

namespace mskb::worker {

// "cudaErrorIllegalAddress: an illegal memory access was encountered, <where>"
std::string describe(cudaError_t error, const char* where);

// Throws std::runtime_error with that text unless `error` is cudaSuccess: for the worker's own calls.
void require(cudaError_t error, const char* where);

// Whether an error stays: nothing can run in this process any more.
bool context_is_lost();

}  // namespace mskb::worker
