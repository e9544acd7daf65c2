// for e in 0..nnz-1, for k in 0..K-1:
//   Y[row_indices[e]][k] = Y[row_indices[e]][k] + values[e] * X[col_indices[e]][k]
#include <cuda_runtime.h>

// One thread per entry and column of Y; neighbouring threads take neighbouring entries.
__global__ void spmm_coo_kernel(int nnz, int K, const float* values, const int* row_indices, const int* col_indices,
                                const float* X, float* Y) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = blockIdx.y * blockDim.y + threadIdx.y;
  if (e < nnz && k < K) {
    atomicAdd(&Y[row_indices[e] * K + k], values[e] * X[col_indices[e] * K + k]);
  }
}

extern "C" void spmm_coo(int rows, int nnz, int K, const float* values, const int* row_indices, const int* col_indices,
                       const float* X, float* Y) {
  const dim3 threads(16, 16);
  const dim3 blocks((nnz + threads.x - 1) / threads.x, (K + threads.y - 1) / threads.y);
  spmm_coo_kernel<<<blocks, threads>>>(nnz, K, values, row_indices, col_indices, X, Y);
  cudaDeviceSynchronize();
}
