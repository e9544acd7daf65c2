// for c in 0..C-1:
//   mean = (sum over n in 0..N-1 of input[n][c]) / N
//   variance = (sum over n in 0..N-1 of input[n][c] * input[n][c]) / N - mean * mean
//   for n in 0..N-1:
//     output[n][c] = gamma[c] * ((input[n][c] - mean) / sqrt(variance + epsilon)) + beta[c]
#include <cuda_runtime.h>

// One thread per feature.
__global__ void statistics_kernel(const float* input, float* means, float* variances, int N, int C) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) {
    return;
  }
  float sum = 0.0f;
  float square_sum = 0.0f;
  for (int n = 0; n < N; ++n) {
    const float x = input[n * C + c];
    sum += x;
    square_sum += x * x;
  }
  const float mean = sum / N;
  means[c] = mean;
  variances[c] = square_sum / N - mean * mean;
}

__global__ void normalize_kernel(float* output, const float* input, const float* gamma, const float* beta,
                                 const float* means, const float* variances, float epsilon, int N, int C) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N * C; i += gridDim.x * blockDim.x) {
    const int c = i % C;
    const float normal = (input[i] - means[c]) / sqrtf(variances[c] + epsilon);
    output[i] = gamma[c] * normal + beta[c];
  }
}

extern "C" void batch_norm(float* output, const float* input, const float* gamma, const float* beta, const float epsilon,
                       const int N, const int C) {
  const int threads = 256;
  float *means, *variances;
  cudaMalloc(&means, C * sizeof(float));
  cudaMalloc(&variances, C * sizeof(float));
  statistics_kernel<<<(C + threads - 1) / threads, threads>>>(input, means, variances, N, C);
  cudaDeviceSynchronize();
  normalize_kernel<<<(N * C + threads - 1) / threads, threads>>>(output, input, gamma, beta, means, variances, epsilon, N,
                                                                 C);
  cudaDeviceSynchronize();
  cudaFree(means);
  cudaFree(variances);
}
