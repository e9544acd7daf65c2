// for c in 0..columns-1, for j in col_offsets[c]..col_offsets[c + 1]-1:
//   y[row_indices[j]] = y[row_indices[j]] + values[j] * x[c]
#include <cuda_runtime.h>

// One thread per column.
__global__ void spmv_csc_kernel(int columns, const float* values, const int* row_indices, const int* col_offsets,
                                const float* x, float* y) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) {
    return;
  }
  const float factor = x[c];
  for (int j = col_offsets[c]; j < col_offsets[c + 1]; ++j) {
    atomicAdd(&y[row_indices[j]], values[j] * factor);
  }
}

extern "C" void spmv_csc(int rows, int columns, const float* values, const int* row_indices, const int* col_offsets,
                       const float* x, float* y) {
  const int threads = 256;
  const int blocks = (columns + threads - 1) / threads;
  spmv_csc_kernel<<<blocks, threads>>>(columns, values, row_indices, col_offsets, x, y);
  cudaDeviceSynchronize();
}
