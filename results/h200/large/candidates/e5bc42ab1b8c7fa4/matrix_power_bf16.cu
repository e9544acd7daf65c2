// power = A * A
// for p in 3..P:
//   power = power * A
// B = power
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// product = left * right, N x N; one thread per element.
__global__ void product_kernel(const __nv_bfloat16* left, const __nv_bfloat16* right, __nv_bfloat16* product, int N) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= N || j >= N) {
    return;
  }
  float sum = 0.0f;
  for (int k = 0; k < N; ++k) {
    sum += __bfloat162float(left[i * N + k]) * __bfloat162float(right[k * N + j]);
  }
  product[i * N + j] = __float2bfloat16(sum);
}

extern "C" void matrix_power_bf16(const __nv_bfloat16* A, __nv_bfloat16* B, int N, int P) {
  const size_t bytes = static_cast<size_t>(N) * N * sizeof(__nv_bfloat16);
  __nv_bfloat16 *base, *power, *next;
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
