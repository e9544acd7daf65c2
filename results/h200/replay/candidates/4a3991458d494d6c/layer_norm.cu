// mean = (sum over j in 0..N-1 of input[j]) / N
// variance = (sum over j in 0..N-1 of (input[j] - mean) * (input[j] - mean)) / N
// for i in 0..N-1:
//   output[i] = weight[i] * ((input[i] - mean) / sqrt(variance + epsilon)) + bias[i]
#include <cuda_runtime.h>

// Every thread adds its own partial sum to the scalar.
__global__ void sum_kernel(const float* input, float* sum_of_all, int N) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    sum += input[i];
  }
  if (sum != 0.0f) {
    atomicAdd(sum_of_all, sum);
  }
}

__global__ void square_sum_kernel(const float* input, const float* mean, float* sum_of_all, int N) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    const float deviation = input[i] - *mean;
    sum += deviation * deviation;
  }
  if (sum != 0.0f) {
    atomicAdd(sum_of_all, sum);
  }
}

__global__ void normalize_kernel(float* output, const float* input, const float* weight, const float* bias,
                                 const float* mean, const float* variance, float epsilon, int N) {
  const float r = sqrtf(*variance + epsilon);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    const float normal = (input[i] - *mean) / r;
    output[i] = normal * weight[i] + bias[i];
  }
}

extern "C" void layer_norm(float* output, const float* input, const float* weight, const float* bias, const float epsilon,
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
