// for r in 0..rows-1, for k in 0..K-1:
//   Y[r][k] = sum over e in 0..max_nnz_per_row-1 with col_ids[r][e] != -1 of values[r][e] * X[col_ids[r][e]][k]
#include <cuda_runtime.h>

// One thread per element of Y; neighbouring threads take neighbouring rows.
__global__ void spmm_ell_kernel(int rows, int max_nnz_per_row, int K, const float* values, const int* col_ids,
                                const float* X, float* Y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || k >= K) {
    return;
  }
  float sum = 0.0f;
  for (int e = 0; e < max_nnz_per_row; ++e) {
    const int slot = row * max_nnz_per_row + e;
    const int col = col_ids[slot];
    if (col != -1) {
      sum += values[slot] * X[col * K + k];
    }
  }
  Y[row * K + k] = sum;
}

extern "C" void spmm_ell(int rows, int max_nnz_per_row, int K, const float* values, const int* col_ids, const float* X,
                       float* Y) {
  const dim3 threads(16, 16);
  const dim3 blocks((rows + threads.x - 1) / threads.x, (K + threads.y - 1) / threads.y);
  spmm_ell_kernel<<<blocks, threads>>>(rows, max_nnz_per_row, K, values, col_ids, X, Y);
  cudaDeviceSynchronize();
}
