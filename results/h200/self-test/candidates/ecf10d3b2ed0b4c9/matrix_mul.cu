// for m in 0..M-1, for n in 0..N-1:
//   C[m][n] = sum over k in 0..K-1 of A[m][k] * B[k][n]
#include <cuda_runtime.h>

// One thread per element of C.
__global__ void matrix_mul_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N) {
    return;
  }
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum += A[m * K + k] * B[k * N + n];
  }
  C[m * N + n] = sum;
}

extern "C" void matrix_mul(const float* A, const float* B, float* C, int M, int N, int K) {
  const dim3 threads(16, 16);
  const dim3 blocks((N + threads.x - 1) / threads.x, (M + threads.y - 1) / threads.y);
  matrix_mul_kernel<<<blocks, threads>>>(A, B, C, M, N, K);
  cudaDeviceSynchronize();
}
