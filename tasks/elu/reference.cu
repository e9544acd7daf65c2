// for i in 0..N-1:
//   output[i] = input[i] if input[i] >= 0 else alpha * (exp(input[i]) - 1)
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void elu_kernel($real* output, const $real* input, int N, float alpha) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    const float x = $load(input[i]);
    output[i] = $store(x >= 0.0f ? x : alpha * (expf(x) - 1.0f));
  }
}

extern "C" void $entry($real* output, const $real* input, const int N, float alpha) {
  elu_kernel<<<1, 1024>>>(output, input, N, alpha);
  cudaDeviceSynchronize();
}
