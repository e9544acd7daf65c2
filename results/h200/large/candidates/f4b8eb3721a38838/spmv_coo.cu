// for e in 0..nnz-1:
//   y[row_indices[e]] = y[row_indices[e]] + values[e] * x[col_indices[e]]
#include <cuda_runtime.h>

// One thread per entry.
__global__ void spmv_coo_kernel(int nnz, const float* values, const int* row_indices, const int* col_indices,
                                const float* x, float* y) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < nnz) {
    atomicAdd(&y[row_indices[e]], values[e] * x[col_indices[e]]);
  }
}

extern "C" void spmv_coo(int rows, int nnz, const float* values, const int* row_indices, const int* col_indices,
                       const float* x, float* y) {
  const int threads = 256;
  spmv_coo_kernel<<<(nnz + threads - 1) / threads, threads>>>(nnz, values, row_indices, col_indices, x, y);
  cudaDeviceSynchronize();
}
