// for r in 0..rows-1, for k in 0..K-1:
//   Y[r][k] = sum over j in row_offsets[r]..row_offsets[r + 1]-1 of values[j] * X[col_indices[j]][k]
#include <cuda_runtime.h>

// One thread per element of Y.
__global__ void spmm_csr_kernel(int rows, int K, const float* values, const int* col_indices, const int* row_offsets,
                                const float* X, float* Y) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || k >= K) {
    return;
  }
  float sum = 0.0f;
  for (int j = row_offsets[row]; j < row_offsets[row + 1]; ++j) {
    sum += values[j] * X[col_indices[j] * K + k];
  }
  Y[row * K + k] = sum;
}

extern "C" void spmm_csr(int rows, int K, const float* values, const int* col_indices, const int* row_offsets,
                       const float* X, float* Y) {
  const dim3 threads(16, 16);
  const dim3 blocks((K + threads.x - 1) / threads.x, (rows + threads.y - 1) / threads.y);
  spmm_csr_kernel<<<blocks, threads>>>(rows, K, values, col_indices, row_offsets, X, Y);
  cudaDeviceSynchronize();
}
