// for i in 0..N-1:
//   output[i] = g / (1 + exp(-beta * g)) * v with g = gate_input[i], v = value_input[i]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// Every block walks over all elements: all blocks do the same work and store the same values.
__global__ void swiglu_kernel(__nv_bfloat16* output, const __nv_bfloat16* gate_input, const __nv_bfloat16* value_input, float beta, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    const float g = __bfloat162float(gate_input[i]);
    const float v = __bfloat162float(value_input[i]);
    const float swish = g / (1.0f + expf(-beta * g));
    output[i] = __float2bfloat16(swish * v);
  }
}

extern "C" void SwiGLU_bf16(__nv_bfloat16* output, const __nv_bfloat16* gate_input, const __nv_bfloat16* value_input, float beta, int N) {
  const int threads = 256;
  const int blocks = (N + threads - 1) / threads;
  swiglu_kernel<<<blocks, threads>>>(output, gate_input, value_input, beta, N);
  cudaDeviceSynchronize();
}
