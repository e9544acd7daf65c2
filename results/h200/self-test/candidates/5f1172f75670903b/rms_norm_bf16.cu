// r = sqrt((sum over j in 0..N-1 of input[j] * input[j]) / N + epsilon)
// for i in 0..N-1:
//   output[i] = weight[i] * (input[i] / r) + bias[i]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// Every thread adds its own partial sum to the scalar.
__global__ void square_sum_kernel(const __nv_bfloat16* input, float* square_sum, int N) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    const float x = __bfloat162float(input[i]);
    sum += x * x;
  }
  if (sum != 0.0f) {
    atomicAdd(square_sum, sum);
  }
}

__global__ void normalize_kernel(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* weight, const __nv_bfloat16* bias,
                                 const float* square_sum, float epsilon, int N) {
  const float r = sqrtf(*square_sum / N + epsilon);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    const float normal = __bfloat162float(input[i]) / r;
    output[i] = __float2bfloat16(normal * __bfloat162float(weight[i]) + __bfloat162float(bias[i]));
  }
}

extern "C" void rms_norm_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* weight, const __nv_bfloat16* bias, const float epsilon,
                       const int N) {
  const int threads = 256;
  int blocks = (N + threads - 1) / threads;
  if (blocks > 1024) {
    blocks = 1024;
  }
  float* square_sum;
  cudaMalloc(&square_sum, sizeof(float));
  cudaMemset(square_sum, 0, sizeof(float));
  square_sum_kernel<<<blocks, threads>>>(input, square_sum, N);
  cudaDeviceSynchronize();
  normalize_kernel<<<blocks, threads>>>(output, input, weight, bias, square_sum, epsilon, N);
  cudaDeviceSynchronize();
  cudaFree(square_sum);
}
