// power = A * A
// for p in 3..P:
//   power = power * A
// B = power
#include <cuda_runtime.h>

// product = left * right, N x N; one thread per element.
__global__ void product_kernel(const float* left, const float* right, float* product, int N) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= N || j >= N) {
    return;
  }
  float sum = 0.0f;
  for (int k = 0; k < N; ++k) {
    sum += left[i * N + k] * right[k * N + j];
  }
  product[i * N + j] = sum;
}

extern "C" void matrix_power(const float* A, float* B, int N, int P) {
  const size_t bytes = static_cast<size_t>(N) * N * sizeof(float);
  float *base, *power, *next;
  cudaMalloc(&base, bytes);
  cudaMalloc(&power, bytes);
  cudaMalloc(&next, bytes);
  cudaMemcpy(base, A, bytes, cudaMemcpyHostToDevice);

  const dim3 threads(16, 16);
  const dim3 blocks((N + threads.x - 1) / threads.x, (N + threads.y - 1) / threads.y);
  product_kernel<<<blocks, threads>>>(base, base, power, N);
  for (int p = 3; p <= P; ++p) {
    product_kernel<<<blocks, threads>>>(power, base, next, N);
    cudaMemcpy(power, next, bytes, cudaMemcpyDeviceToDevice);
  }

  cudaMemcpy(B, power, bytes, cudaMemcpyDeviceToHost);
  cudaFree(base);
  cudaFree(power);
  cudaFree(next);
}
