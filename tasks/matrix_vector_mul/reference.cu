// for m in 0..M-1:
//   y[m] = sum over n in 0..N-1 of A[m][n] * x[n]
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One thread per row.
__global__ void matrix_vector_mul_kernel(const $real* A, const $real* x, $real* y, int M, int N) {
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M) {
    return;
  }
  float sum = 0.0f;
  for (int n = 0; n < N; ++n) {
    sum += $load(A[m * N + n]) * $load(x[n]);
  }
  y[m] = $store(sum);
}

extern "C" void $entry(const $real* A, const $real* x, $real* y, int M, int N) {
  const int threads = 256;
  matrix_vector_mul_kernel<<<(M + threads - 1) / threads, threads>>>(A, x, y, M, N);
  cudaDeviceSynchronize();
}
