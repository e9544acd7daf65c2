// for c in 0..columns-1, for j in col_offsets[c]..col_offsets[c + 1]-1:
//   y[row_indices[j]] = y[row_indices[j]] + values[j] * x[c]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per column.
__global__ void spmv_csc_kernel(int columns, const __nv_bfloat16* values, const int* row_indices, const int* col_offsets,
                                const __nv_bfloat16* x, float* y) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) {
    return;
  }
  const float factor = __bfloat162float(x[c]);
  for (int j = col_offsets[c]; j < col_offsets[c + 1]; ++j) {
    atomicAdd(&y[row_indices[j]], __bfloat162float(values[j]) * factor);
  }
}

__global__ void round_kernel(const float* sums, __nv_bfloat16* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    y[row] = __float2bfloat16(sums[row]);
  }
}

extern "C" void spmv_csc_bf16(int rows, int columns, const __nv_bfloat16* values, const int* row_indices, const int* col_offsets,
                       const __nv_bfloat16* x, __nv_bfloat16* y) {
  const int threads = 256;
  const int blocks = (columns + threads - 1) / threads;
  float* sums;
  cudaMalloc(&sums, rows * sizeof(float));
  cudaMemset(sums, 0, rows * sizeof(float));
  spmv_csc_kernel<<<blocks, threads>>>(columns, values, row_indices, col_offsets, x, sums);
  round_kernel<<<(rows + threads - 1) / threads, threads>>>(sums, y, rows);
  cudaFree(sums);
  cudaDeviceSynchronize();
}
