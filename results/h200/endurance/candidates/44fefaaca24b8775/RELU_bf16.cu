// for i in 0..N-1:
//   output[i] = max(input[i], 0)
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void relu_kernel(__nv_bfloat16* output, const __nv_bfloat16* input, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    output[i] = __float2bfloat16(fmaxf(__bfloat162float(input[i]), 0.0f));
  }
}

extern "C" void RELU_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, int N) {
  relu_kernel<<<1, 1024>>>(output, input, N);
  cudaDeviceSynchronize();
}
