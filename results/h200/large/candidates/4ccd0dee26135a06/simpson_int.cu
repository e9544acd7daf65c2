// h = (b - a) / (N - 1)
// sum = 0
// for even i with i + 2 <= N - 1:
//   sum = sum + h / 3 * (y_samples[i] + 4 * y_samples[i + 1] + y_samples[i + 2])
// result = sum                        (result is zero on entry)
#include <cuda_runtime.h>

// A segment starts at each even sample; threads at odd ones add 0.
__global__ void simpson_kernel(const float* y_samples, float* integral, float a, float b, int N) {
  const float h = (b - a) / (N - 1);
  float sum = 0.0f;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0 && i + 2 <= N - 1) {
    sum = h / 3.0f * (y_samples[i] + 4.0f * y_samples[i + 1] + y_samples[i + 2]);
  }
  atomicAdd(integral, sum);
}

extern "C" void simpson_int(const float* y_samples, float* result, float a, float b, int N) {
  const int threads = 256;
  const int blocks = (N + threads - 1) / threads;
  simpson_kernel<<<blocks, threads>>>(y_samples, result, a, b, N);
  cudaDeviceSynchronize();
}
