// for c in 0..columns-1, for j in col_offsets[c]..col_offsets[c + 1]-1, for k in 0..K-1:
//   Y[row_indices[j]][k] = Y[row_indices[j]][k] + values[j] * X[c][k]
#include <cuda_runtime.h>

// One thread per column of the sparse matrix and column of Y; neighbouring threads take neighbouring sparse columns.
__global__ void spmm_csc_kernel(int columns, int K, const float* values, const int* row_indices, const int* col_offsets,
                                const float* X, float* Y) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= columns || k >= K) {
    return;
  }
  const float factor = X[c * K + k];
  for (int j = col_offsets[c]; j < col_offsets[c + 1]; ++j) {
    atomicAdd(&Y[row_indices[j] * K + k], values[j] * factor);
  }
}

extern "C" void spmm_csc(int rows, int columns, int K, const float* values, const int* row_indices,
                       const int* col_offsets, const float* X, float* Y) {
  const dim3 threads(16, 16);
  const dim3 blocks((columns + threads.x - 1) / threads.x, (K + threads.y - 1) / threads.y);
  spmm_csc_kernel<<<blocks, threads>>>(columns, K, values, row_indices, col_offsets, X, Y);
  cudaDeviceSynchronize();
}
