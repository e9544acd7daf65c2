// B[i,j] = A[i,j], by thrust::copy, which is a device-to-device memory copy for plain types. The call does not wait for the
// device.
#include <cuda_bf16.h>
#include <thrust/copy.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstdint>

#include "mskb/baseline.hpp"

extern "C" void matrix_copy(const float* A, float* B, int M, int N) {
  thrust::copy(thrust::cuda::par_nosync, A, A + std::int64_t{M} * N, B);
}

extern "C" void matrix_copy_bf16(const __nv_bfloat16* A, __nv_bfloat16* B, int M, int N) {
  thrust::copy(thrust::cuda::par_nosync, A, A + std::int64_t{M} * N, B);
}
