// power = A * A
// for p in 3..P:
//   power = power * A
// B = power
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// product = left * right, N x N; one thread per element.
__global__ void product_kernel(const $real* left, const $real* right, $real* product, int N) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= N || j >= N) {
    return;
  }
  float sum = 0.0f;
  for (int k = 0; k < N; ++k) {
    sum += $load(left[i * N + k]) * $load(right[k * N + j]);
  }
  product[i * N + j] = $store(sum);
}

extern "C" void $entry(const $real* A, $real* B, int N, int P) {
  const size_t bytes = static_cast<size_t>(N) * N * sizeof($real);
  $real *base, *power, *next;
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
