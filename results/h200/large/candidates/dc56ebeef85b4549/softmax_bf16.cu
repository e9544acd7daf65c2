// for i in 0..N-1:
//   top = max over j in 0..C-1 of input[i][j]
//   for j in 0..C-1:
//     out[i][j] = exp(input[i][j] - top)
//   sum = sum over j of these exponentials
//   for j in 0..C-1:
//     out[i][j] = out[i][j] / sum
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cfloat>

// One block; each thread walks over its own row.
__global__ void softmax_kernel(__nv_bfloat16* out, const __nv_bfloat16* input, int N, int C) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    const __nv_bfloat16* in_row = input + i * C;
    __nv_bfloat16* out_row = out + i * C;
    float top = -FLT_MAX;
    for (int j = 0; j < C; ++j) {
      const float x = __bfloat162float(in_row[j]);
      if (x > top) {
        top = x;
      }
    }
    float sum = 0.0f;
    for (int j = 0; j < C; ++j) {
      const float e = expf(__bfloat162float(in_row[j]) - top);
      out_row[j] = __float2bfloat16(e);
      sum += e;
    }
    const float reciprocal = 1.0f / sum;
    for (int j = 0; j < C; ++j) {
      out_row[j] = __float2bfloat16(__bfloat162float(out_row[j]) * reciprocal);
    }
  }
}

extern "C" void softmax_bf16(__nv_bfloat16* out, const __nv_bfloat16* input, int N, int C) {
  const int threads = 1024;
  for (int first = 0; first < N; first += threads) {
    const int rows = N - first < threads ? N - first : threads;
    softmax_kernel<<<1, threads>>>(out + first * C, input + first * C, rows, C);
  }
  cudaDeviceSynchronize();
}
