// for i in 0..N-1:
//   top = max over j in 0..C-1 of input[i][j]
//   for j in 0..C-1:
//     out[i][j] = exp(input[i][j] - top)
//   sum = sum over j of these exponentials
//   for j in 0..C-1:
//     out[i][j] = out[i][j] / sum
#include <cuda_runtime.h>

#include <cfloat>

// One block; each thread walks over its own row.
__global__ void softmax_kernel(float* out, const float* input, int N, int C) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    const float* in_row = input + i * C;
    float* out_row = out + i * C;
    float top = -FLT_MAX;
    for (int j = 0; j < C; ++j) {
      const float x = in_row[j];
      if (x > top) {
        top = x;
      }
    }
    float sum = 0.0f;
    for (int j = 0; j < C; ++j) {
      const float e = expf(in_row[j] - top);
      out_row[j] = e;
      sum += e;
    }
    for (int j = 0; j < C; ++j) {
      out_row[j] = out_row[j] / sum;
    }
  }
}

extern "C" void softmax(float* out, const float* input, int N, int C) {
  const int threads = 1024;
  for (int first = 0; first < N; first += threads) {
    const int rows = N - first < threads ? N - first : threads;
    softmax_kernel<<<1, threads>>>(out + first * C, input + first * C, rows, C);
  }
  cudaDeviceSynchronize();
}
