// for i in 0..N-1:
//   output[i] = input[i] / 2 * (1 + erf(input[i] / sqrt(2)))
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void gelu_kernel(__nv_bfloat16* output, const __nv_bfloat16* input, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    const float x = __bfloat162float(input[i]);
    output[i] = __float2bfloat16(0.5 * x * (1.0f + erff(x / sqrtf(2.0f))));
  }
}

extern "C" void gelu_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const int N) {
  gelu_kernel<<<1, 1024>>>(output, input, N);
  cudaDeviceSynchronize();
}
