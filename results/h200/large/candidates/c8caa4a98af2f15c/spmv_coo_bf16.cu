// for e in 0..nnz-1:
//   y[row_indices[e]] = y[row_indices[e]] + values[e] * x[col_indices[e]]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per entry.
__global__ void spmv_coo_kernel(int nnz, const __nv_bfloat16* values, const int* row_indices, const int* col_indices,
                                const __nv_bfloat16* x, float* y) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < nnz) {
    atomicAdd(&y[row_indices[e]], __bfloat162float(values[e]) * __bfloat162float(x[col_indices[e]]));
  }
}

__global__ void round_kernel(const float* sums, __nv_bfloat16* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    y[row] = __float2bfloat16(sums[row]);
  }
}

extern "C" void spmv_coo_bf16(int rows, int nnz, const __nv_bfloat16* values, const int* row_indices, const int* col_indices,
                       const __nv_bfloat16* x, __nv_bfloat16* y) {
  const int threads = 256;
  float* sums;
  cudaMalloc(&sums, rows * sizeof(float));
  cudaMemset(sums, 0, rows * sizeof(float));
  spmv_coo_kernel<<<(nnz + threads - 1) / threads, threads>>>(nnz, values, row_indices, col_indices, x, sums);
  round_kernel<<<(rows + threads - 1) / threads, threads>>>(sums, y, rows);
  cudaFree(sums);
  cudaDeviceSynchronize();
}
