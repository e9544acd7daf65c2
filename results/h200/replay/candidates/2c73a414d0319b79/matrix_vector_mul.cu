// for m in 0..M-1:
//   y[m] = sum over n in 0..N-1 of A[m][n] * x[n]
#include <cuda_runtime.h>

// One thread per row.
__global__ void matrix_vector_mul_kernel(const float* A, const float* x, float* y, int M, int N) {
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M) {
    return;
  }
  float sum = 0.0f;
  for (int n = 0; n < N; ++n) {
    sum += A[m * N + n] * x[n];
  }
  y[m] = sum;
}

extern "C" void matrix_vector_mul(const float* A, const float* x, float* y, int M, int N) {
  const int threads = 256;
  matrix_vector_mul_kernel<<<(M + threads - 1) / threads, threads>>>(A, x, y, M, N);
  cudaDeviceSynchronize();
}
