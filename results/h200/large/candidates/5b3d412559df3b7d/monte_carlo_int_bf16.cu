// sum = 0
// for i in 0..N-1:
//   sum = sum + y_samples[i]
// result = (b - a) / N * sum          (result is zero on entry)
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// Every thread adds its own partial sum to the scalar.
__global__ void sample_sum_kernel(const __nv_bfloat16* y_samples, float* sample_sum, int N) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    sum += __bfloat162float(y_samples[i]);
  }
  atomicAdd(sample_sum, sum);
}

// One thread.
__global__ void scale_kernel(const float* sample_sum, __nv_bfloat16* result, float a, float b, int N) {
  *result = __float2bfloat16(*sample_sum / N * (b - a));
}

extern "C" void monte_carlo_int_bf16(const __nv_bfloat16* y_samples, __nv_bfloat16* result, float a, float b, int N) {
  const int threads = 256;
  int blocks = (N + threads - 1) / threads;
  if (blocks > 1024) {
    blocks = 1024;
  }
  float* sample_sum;
  cudaMalloc(&sample_sum, sizeof(float));
  cudaMemset(sample_sum, 0, sizeof(float));
  sample_sum_kernel<<<blocks, threads>>>(y_samples, sample_sum, N);
  scale_kernel<<<1, 1>>>(sample_sum, result, a, b, N);
  cudaDeviceSynchronize();
  cudaFree(sample_sum);
}
