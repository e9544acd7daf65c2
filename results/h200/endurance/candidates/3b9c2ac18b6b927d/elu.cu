// for i in 0..N-1:
//   output[i] = input[i] if input[i] >= 0 else alpha * (exp(input[i]) - 1)
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void elu_kernel(float* output, const float* input, int N, float alpha) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    const float x = input[i];
    output[i] = x >= 0.0f ? x : alpha * (expf(x) - 1.0f);
  }
}

extern "C" void elu(float* output, const float* input, const int N, float alpha) {
  elu_kernel<<<1, 1024>>>(output, input, N, alpha);
  cudaDeviceSynchronize();
}
