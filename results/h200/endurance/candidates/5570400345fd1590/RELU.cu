// version 32
// for i in 0..N-1:
//   output[i] = max(input[i], 0)
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void relu_kernel(float* output, const float* input, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    output[i] = fmaxf(input[i], 0.0f);
  }
}

extern "C" void RELU(float* output, const float* input, int N) {
  relu_kernel<<<1, 1024>>>(output, input, N);
  cudaDeviceSynchronize();
}
