// for i in 0..N-1:
//   output[i] = g / (1 + exp(-beta * g)) * v with g = gate_input[i], v = value_input[i]
#include <cuda_runtime.h>

// Every block walks over all elements: all blocks do the same work and store the same values.
__global__ void swiglu_kernel(float* output, const float* gate_input, const float* value_input, float beta, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    const float g = gate_input[i];
    const float v = value_input[i];
    const float swish = g / (1.0f + expf(-beta * g));
    output[i] = swish * v;
  }
}

extern "C" void SwiGLU(float* output, const float* gate_input, const float* value_input, float beta, int N) {
  const int threads = 256;
  const int blocks = (N + threads - 1) / threads;
  swiglu_kernel<<<blocks, threads>>>(output, gate_input, value_input, beta, N);
  cudaDeviceSynchronize();
}
