// for c in 0..columns-1, for j in col_offsets[c]..col_offsets[c + 1]-1, for k in 0..K-1:
//   Y[row_indices[j]][k] = Y[row_indices[j]][k] + values[j] * X[c][k]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per column of the sparse matrix and column of Y; neighbouring threads take neighbouring sparse columns.
__global__ void spmm_csc_kernel(int columns, int K, const __nv_bfloat16* values, const int* row_indices, const int* col_offsets,
                                const __nv_bfloat16* X, float* Y) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= columns || k >= K) {
    return;
  }
  const float factor = __bfloat162float(X[c * K + k]);
  for (int j = col_offsets[c]; j < col_offsets[c + 1]; ++j) {
    atomicAdd(&Y[row_indices[j] * K + k], __bfloat162float(values[j]) * factor);
  }
}

__global__ void round_kernel(const float* sums, __nv_bfloat16* Y, int elements) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) {
    Y[i] = __float2bfloat16(sums[i]);
  }
}

extern "C" void spmm_csc_bf16(int rows, int columns, int K, const __nv_bfloat16* values, const int* row_indices,
                       const int* col_offsets, const __nv_bfloat16* X, __nv_bfloat16* Y) {
  const dim3 threads(16, 16);
  const dim3 blocks((columns + threads.x - 1) / threads.x, (K + threads.y - 1) / threads.y);
  const int elements = rows * K;
  float* sums;
  cudaMalloc(&sums, elements * sizeof(float));
  cudaMemset(sums, 0, elements * sizeof(float));
  spmm_csc_kernel<<<blocks, threads>>>(columns, K, values, row_indices, col_offsets, X, sums);
  round_kernel<<<(elements + 255) / 256, 256>>>(sums, Y, elements);
  cudaFree(sums);
  cudaDeviceSynchronize();
}
