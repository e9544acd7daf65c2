// for r in 0..rows-1:
//   y[r] = sum over e in 0..max_nnz_per_row-1 with col_ids[r][e] != -1 of values[r][e] * x[col_ids[r][e]]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per row.
__global__ void spmv_ell_kernel(int rows, int max_nnz_per_row, const __nv_bfloat16* values, const int* col_ids, const __nv_bfloat16* x,
                                __nv_bfloat16* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  float sum = 0.0f;
  for (int e = 0; e < max_nnz_per_row; ++e) {
    const int slot = row * max_nnz_per_row + e;
    const int col = col_ids[slot];
    if (col != -1) {
      sum += __bfloat162float(values[slot]) * __bfloat162float(x[col]);
    }
  }
  y[row] = __float2bfloat16(sum);
}

extern "C" void spmv_ell_bf16(int rows, int max_nnz_per_row, const __nv_bfloat16* values, const int* col_ids, const __nv_bfloat16* x,
                       __nv_bfloat16* y) {
  const int threads = 256;
  const int blocks = (rows + threads - 1) / threads;
  spmv_ell_kernel<<<blocks, threads>>>(rows, max_nnz_per_row, values, col_ids, x, y);
  cudaDeviceSynchronize();
}
