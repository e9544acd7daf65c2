#include "worker/cuda/trouble.hpp"

#include <stdexcept>

namespace mskb::worker {

std::string describe(cudaError_t error, const char* where) {
  return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error) + ", " + where;
}

void require(cudaError_t error, const char* where) {
  if (error != cudaSuccess) {
    throw std::runtime_error(describe(error, where));
  }
}

bool context_is_lost() {
  cudaGetLastError();
  return cudaDeviceSynchronize() != cudaSuccess;
}

}  // namespace mskb::worker
