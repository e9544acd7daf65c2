// version 32
// for i in 0..N-1:
//   out[i] = 1 / (1 + exp(-input[i]))
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void sigmoid_kernel(__nv_bfloat16* out, const __nv_bfloat16* input, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    out[i] = __float2bfloat16(1.0f / (1.0f + expf(-__bfloat162float(input[i]))));
  }
}

extern "C" void sigmoid_bf16(__nv_bfloat16* out, const __nv_bfloat16* input, const int N) {
  sigmoid_kernel<<<1, 1024>>>(out, input, N);
  cudaDeviceSynchronize();
}
