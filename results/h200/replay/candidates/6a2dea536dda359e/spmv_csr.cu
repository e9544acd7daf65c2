// for r in 0..rows-1:
//   y[r] = sum over j in row_offsets[r]..row_offsets[r + 1]-1 of values[j] * x[col_indices[j]]
#include <cuda_runtime.h>

// Only threadIdx.x selects the row: all threads of one x do the same work and store the same value.
__global__ void spmv_csr_kernel(int rows, const float* values, const int* col_indices, const int* row_offsets,
                                const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  float sum = 0.0f;
  for (int j = row_offsets[row]; j < row_offsets[row + 1]; ++j) {
    sum += values[j] * x[col_indices[j]];
  }
  y[row] = sum;
}

extern "C" void spmv_csr(int rows, const float* values, const int* col_indices, const int* row_offsets, const float* x,
                       float* y) {
  const dim3 threads(32, 32);
  const int blocks = (rows + 31) / 32;
  spmv_csr_kernel<<<blocks, threads>>>(rows, values, col_indices, row_offsets, x, y);
  cudaDeviceSynchronize();
}
