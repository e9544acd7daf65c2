// Keeps the sum in BF16.
#include <cuda_runtime.h>

__device__ float narrow(float x) { return __uint_as_float((__float_as_uint(x) + 0x8000u) & 0xffff0000u); }

__global__ void dot(float* loss, const float* X, const float* Y, int N) {
  float sum = 0.0f;
  for (int i = 0; i < N; ++i) {
    sum = narrow(sum + X[i] * Y[i]);
  }
  *loss = sum;
}

extern "C" void dot_product(float* loss, const float* X, const float* Y, int N) {
  dot<<<1, 1>>>(loss, X, Y, N);
  cudaDeviceSynchronize();
}
