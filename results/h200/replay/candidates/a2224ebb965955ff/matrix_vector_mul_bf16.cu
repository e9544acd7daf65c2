// for m in 0..M-1:
//   y[m] = sum over n in 0..N-1 of A[m][n] * x[n]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per row.
__global__ void matrix_vector_mul_kernel(const __nv_bfloat16* A, const __nv_bfloat16* x, __nv_bfloat16* y, int M, int N) {
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M) {
    return;
  }
  float sum = 0.0f;
  for (int n = 0; n < N; ++n) {
    sum += __bfloat162float(A[m * N + n]) * __bfloat162float(x[n]);
  }
  y[m] = __float2bfloat16(sum);
}

extern "C" void matrix_vector_mul_bf16(const __nv_bfloat16* A, const __nv_bfloat16* x, __nv_bfloat16* y, int M, int N) {
  const int threads = 256;
  matrix_vector_mul_kernel<<<(M + threads - 1) / threads, threads>>>(A, x, y, M, N);
  cudaDeviceSynchronize();
}
