// for i in 0..N-1:
//   output[i] = input[i] if input[i] >= 0 else alpha * input[i]
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void leaky_relu_kernel(float* output, const float* input, int N, float alpha) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    const float x = input[i];
    output[i] = x >= 0.0f ? x : alpha * x;
  }
}

extern "C" void leaky_RELU(float* output, const float* input, const int N, float alpha) {
  leaky_relu_kernel<<<1, 1024>>>(output, input, N, alpha);
  cudaDeviceSynchronize();
}
