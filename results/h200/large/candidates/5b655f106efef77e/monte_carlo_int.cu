// sum = 0
// for i in 0..N-1:
//   sum = sum + y_samples[i]
// result = (b - a) / N * sum          (result is zero on entry)
#include <cuda_runtime.h>

// One thread and one atomic addition per sample.
__global__ void monte_carlo_kernel(const float* y_samples, float* result, float a, float b, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    atomicAdd(result, y_samples[i] * (b - a) / N);
  }
}

extern "C" void monte_carlo_int(const float* y_samples, float* result, float a, float b, int N) {
  const int threads = 256;
  const int blocks = (N + threads - 1) / threads;
  monte_carlo_kernel<<<blocks, threads>>>(y_samples, result, a, b, N);
  cudaDeviceSynchronize();
}
