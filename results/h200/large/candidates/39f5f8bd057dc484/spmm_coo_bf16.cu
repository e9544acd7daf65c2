// for e in 0..nnz-1, for k in 0..K-1:
//   Y[row_indices[e]][k] = Y[row_indices[e]][k] + values[e] * X[col_indices[e]][k]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per entry and column of Y; neighbouring threads take neighbouring entries.
__global__ void spmm_coo_kernel(int nnz, int K, const __nv_bfloat16* values, const int* row_indices, const int* col_indices,
                                const __nv_bfloat16* X, float* Y) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = blockIdx.y * blockDim.y + threadIdx.y;
  if (e < nnz && k < K) {
    atomicAdd(&Y[row_indices[e] * K + k], __bfloat162float(values[e]) * __bfloat162float(X[col_indices[e] * K + k]));
  }
}

__global__ void round_kernel(const float* sums, __nv_bfloat16* Y, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) {
    Y[i] = __float2bfloat16(sums[i]);
  }
}

extern "C" void spmm_coo_bf16(int rows, int nnz, int K, const __nv_bfloat16* values, const int* row_indices, const int* col_indices,
                       const __nv_bfloat16* X, __nv_bfloat16* Y) {
  const dim3 threads(16, 16);
  const dim3 blocks((nnz + threads.x - 1) / threads.x, (K + threads.y - 1) / threads.y);
  const int elements = rows * K;
  float* sums;
  cudaMalloc(&sums, elements * sizeof(float));
  cudaMemset(sums, 0, elements * sizeof(float));
  spmm_coo_kernel<<<blocks, threads>>>(nnz, K, values, row_indices, col_indices, X, sums);
  round_kernel<<<(elements + 255) / 256, 256>>>(sums, Y, elements);
  cudaFree(sums);
  cudaDeviceSynchronize();
}
