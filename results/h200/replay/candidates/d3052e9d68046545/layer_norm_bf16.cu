// mean = (sum over j in 0..N-1 of input[j]) / N
// variance = (sum over j in 0..N-1 of (input[j] - mean) * (input[j] - mean)) / N
// for i in 0..N-1:
//   output[i] = weight[i] * ((input[i] - mean) / sqrt(variance + epsilon)) + bias[i]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// Every thread adds its own partial sum to the scalar.
__global__ void sum_kernel(const __nv_bfloat16* input, float* sum_of_all, int N) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    sum += __bfloat162float(input[i]);
  }
  if (sum != 0.0f) {
    atomicAdd(sum_of_all, sum);
  }
}

__global__ void square_sum_kernel(const __nv_bfloat16* input, const float* mean, float* sum_of_all, int N) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    const float deviation = __bfloat162float(input[i]) - *mean;
    sum += deviation * deviation;
  }
  if (sum != 0.0f) {
    atomicAdd(sum_of_all, sum);
  }
}

__global__ void normalize_kernel(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* weight, const __nv_bfloat16* bias,
                                 const float* mean, const float* variance, float epsilon, int N) {
  const float r = sqrtf(*variance + epsilon);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    const float normal = (__bfloat162float(input[i]) - *mean) / r;
    output[i] = __float2bfloat16(normal * __bfloat162float(weight[i]) + __bfloat162float(bias[i]));
  }
}

extern "C" void layer_norm_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* weight, const __nv_bfloat16* bias, const float epsilon,
                       const int N) {
  const int threads = 256;
  int blocks = (N + threads - 1) / threads;
  if (blocks > 1024) {
    blocks = 1024;
  }
  float *sum, *square_sum, *mean, *variance;
  cudaMalloc(&sum, sizeof(float));
  cudaMalloc(&square_sum, sizeof(float));
  cudaMalloc(&mean, sizeof(float));
  cudaMalloc(&variance, sizeof(float));
  const float zero = 0.0f;
  cudaMemcpy(sum, &zero, sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(square_sum, &zero, sizeof(float), cudaMemcpyHostToDevice);

  float value;
  sum_kernel<<<blocks, threads>>>(input, sum, N);
  cudaDeviceSynchronize();
  cudaMemcpy(&value, sum, sizeof(float), cudaMemcpyDeviceToHost);
  value /= N;
  cudaMemcpy(mean, &value, sizeof(float), cudaMemcpyHostToDevice);

  square_sum_kernel<<<blocks, threads>>>(input, mean, square_sum, N);
  cudaDeviceSynchronize();
  cudaMemcpy(&value, square_sum, sizeof(float), cudaMemcpyDeviceToHost);
  value /= N;
  cudaMemcpy(variance, &value, sizeof(float), cudaMemcpyHostToDevice);

  normalize_kernel<<<blocks, threads>>>(output, input, weight, bias, mean, variance, epsilon, N);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(square_sum);
  cudaFree(mean);
  cudaFree(variance);
}
