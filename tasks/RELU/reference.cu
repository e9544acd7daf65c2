// for i in 0..N-1:
//   output[i] = max(input[i], 0)
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void relu_kernel($real* output, const $real* input, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    output[i] = $store(fmaxf($load(input[i]), 0.0f));
  }
}

extern "C" void $entry($real* output, const $real* input, int N) {
  relu_kernel<<<1, 1024>>>(output, input, N);
  cudaDeviceSynchronize();
}
