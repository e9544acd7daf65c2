// for i in 0..N-1:
//   loss = loss + (X[i] - Y[i]) * (X[i] - Y[i])
// loss = loss / N
#include <cuda_runtime.h>

// Every thread adds its own partial sum to the scalar.
__global__ void squared_error_kernel(float* loss, const float* X, const float* Y, int N) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    const float difference = X[i] - Y[i];
    sum += difference * difference;
  }
  atomicAdd(loss, sum);
}

__global__ void mean_kernel(float* loss, int N) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *loss = *loss / N;
  }
}

extern "C" void MSE_loss(float* loss, const float* X, const float* Y, const int N) {
  const int threads = 256;
  int blocks = (N + threads - 1) / threads;
  if (blocks > 1024) {
    blocks = 1024;
  }
  squared_error_kernel<<<blocks, threads>>>(loss, X, Y, N);
  mean_kernel<<<1, 1>>>(loss, N);
  cudaDeviceSynchronize();
}
