// for i in 0..N-1:
//   out[i] = 1 / (1 + exp(-input[i]))
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void sigmoid_kernel(float* out, const float* input, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    out[i] = 1.0f / (1.0f + expf(-input[i]));
  }
}

extern "C" void sigmoid(float* out, const float* input, const int N) {
  sigmoid_kernel<<<1, 1024>>>(out, input, N);
  cudaDeviceSynchronize();
}
