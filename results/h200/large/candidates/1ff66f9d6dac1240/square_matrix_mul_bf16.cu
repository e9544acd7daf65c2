// for i in 0..M-1, for j in 0..M-1:
//   C[i][j] = sum over k in 0..M-1 of A[i][k] * B[k][j]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per element of C.
__global__ void square_matrix_mul_kernel(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || j >= M) {
    return;
  }
  float sum = 0.0f;
  for (int k = 0; k < M; ++k) {
    sum += __bfloat162float(A[i * M + k]) * __bfloat162float(B[k * M + j]);
  }
  C[i * M + j] = __float2bfloat16(sum);
}

extern "C" void square_matrix_mul_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M) {
  const dim3 threads(16, 16);
  const dim3 blocks((M + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
  square_matrix_mul_kernel<<<blocks, threads>>>(A, B, C, M);
  cudaDeviceSynchronize();
}
