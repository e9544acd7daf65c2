// for m in 0..M-1, for p in 0..D/2-1:
//   a = m * base^(-2 * p / D)
//   output[m][2 * p]     = input[m][2 * p] * cos(a) - input[m][2 * p + 1] * sin(a)
//   output[m][2 * p + 1] = input[m][2 * p] * sin(a) + input[m][2 * p + 1] * cos(a)
#include <cuda_runtime.h>

// One thread per pair.
__global__ void rope_kernel(float* output, const float* input, int M, int D, float base) {
  const int half = D / 2;
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= M * half) {
    return;
  }
  const int m = index / half;
  const int p = index % half;
  const float frequency = powf(base, -2.0f * p / D);
  const float angle = m * frequency;
  const float cosine = cosf(angle);
  const float sine = sinf(angle);
  const int first = m * D + 2 * p;
  const float x0 = input[first];
  const float x1 = input[first + 1];
  output[first] = x0 * cosine - x1 * sine;
  output[first + 1] = x0 * sine + x1 * cosine;
}

extern "C" void rope(float* output, const float* input, int M, int D, float base) {
  const int pairs = M * (D / 2);
  const int threads = 256;
  rope_kernel<<<(pairs + threads - 1) / threads, threads>>>(output, input, M, D, base);
  cudaDeviceSynchronize();
}
