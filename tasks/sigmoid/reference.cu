// for i in 0..N-1:
//   out[i] = 1 / (1 + exp(-input[i]))
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void sigmoid_kernel($real* out, const $real* input, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    out[i] = $store(1.0f / (1.0f + expf(-$load(input[i]))));
  }
}

extern "C" void $entry($real* out, const $real* input, const int N) {
  sigmoid_kernel<<<1, 1024>>>(out, input, N);
  cudaDeviceSynchronize();
}
