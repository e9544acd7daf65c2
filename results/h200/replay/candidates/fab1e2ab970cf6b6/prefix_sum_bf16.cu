// for i in 0..N-1:
//   output[i] = sum over j in 0..i of input[j]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread per output element; each adds from the start again.
__global__ void prefix_sum_kernel(__nv_bfloat16* output, const __nv_bfloat16* input, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) {
    return;
  }
  float sum = 0.0f;
  for (int j = 0; j <= i; ++j) {
    sum += __bfloat162float(input[j]);
  }
  output[i] = __float2bfloat16(sum);
}

extern "C" void prefix_sum_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const int N) {
  const int threads = 256;
  const int blocks = (N + threads - 1) / threads;
  prefix_sum_kernel<<<blocks, threads>>>(output, input, N);
  cudaDeviceSynchronize();
}
