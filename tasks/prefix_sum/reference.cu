// for i in 0..N-1:
//   output[i] = sum over j in 0..i of input[j]
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One thread per output element; each adds from the start again.
__global__ void prefix_sum_kernel($real* output, const $real* input, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) {
    return;
  }
  float sum = 0.0f;
  for (int j = 0; j <= i; ++j) {
    sum += $load(input[j]);
  }
  output[i] = $store(sum);
}

extern "C" void $entry($real* output, const $real* input, const int N) {
  const int threads = 256;
  const int blocks = (N + threads - 1) / threads;
  prefix_sum_kernel<<<blocks, threads>>>(output, input, N);
  cudaDeviceSynchronize();
}
