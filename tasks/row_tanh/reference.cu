// for i in 0..N-1:
//   out[i] = tanh(input[i])
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void tanh_kernel($real* out, const $real* input, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    out[i] = $store(tanhf($load(input[i])));
  }
}

extern "C" void $entry($real* out, const $real* input, const int N) {
  tanh_kernel<<<1, 1024>>>(out, input, N);
  cudaDeviceSynchronize();
}
