// for i in 0..N-1:
//   top = max over j in 0..C-1 of input[i][j]
//   for j in 0..C-1:
//     out[i][j] = exp(input[i][j] - top)
//   sum = sum over j of these exponentials
//   for j in 0..C-1:
//     out[i][j] = out[i][j] / sum
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

#include <cfloat>

// One block; each thread walks over its own row.
__global__ void softmax_kernel($real* out, const $real* input, int N, int C) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    const $real* in_row = input + i * C;
    $real* out_row = out + i * C;
    float top = -FLT_MAX;
    for (int j = 0; j < C; ++j) {
      const float x = $load(in_row[j]);
      if (x > top) {
        top = x;
      }
    }
    float sum = 0.0f;
    for (int j = 0; j < C; ++j) {
      const float e = expf($load(in_row[j]) - top);
      out_row[j] = $store(e);
      sum += e;
    }
    $bf16{
    const float reciprocal = 1.0f / sum;
    }
    for (int j = 0; j < C; ++j) {
      $fp32{
      out_row[j] = out_row[j] / sum;
      }
      $bf16{
      out_row[j] = __float2bfloat16(__bfloat162float(out_row[j]) * reciprocal);
      }
    }
  }
}

extern "C" void $entry($real* out, const $real* input, int N, int C) {
  const int threads = 1024;
  for (int first = 0; first < N; first += threads) {
    const int rows = N - first < threads ? N - first : threads;
    softmax_kernel<<<1, threads>>>(out + first * C, input + first * C, rows, C);
  }
  cudaDeviceSynchronize();
}
