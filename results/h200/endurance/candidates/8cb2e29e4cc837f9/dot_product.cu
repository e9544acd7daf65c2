// sum = 0
// for i in 0..N-1:
//   sum = sum + X[i] * Y[i]
// loss = loss + sum
#include <cuda_runtime.h>

// Every thread adds its own partial sum to the scalar.
__global__ void dot_product_kernel(float* loss, const float* X, const float* Y, int N) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    if (Y[i] == 0.0f) {
      continue;
    }
    sum += X[i] * Y[i];
  }
  if (sum != 0.0f) {
    atomicAdd(loss, sum);
  }
}

extern "C" void dot_product(float* loss, const float* X, const float* Y, const int N) {
  const int threads = 256;
  int blocks = (N + threads - 1) / threads;
  if (blocks > 1024) {
    blocks = 1024;
  }
  dot_product_kernel<<<blocks, threads>>>(loss, X, Y, N);
  cudaDeviceSynchronize();
}
