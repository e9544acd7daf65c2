// for i in 0..N-1:
//   C[i] = A[i] + B[i]
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void add_kernel(const $real* A, const $real* B, $real* C, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    C[i] = $store($load(A[i]) + $load(B[i]));
  }
}

extern "C" void $entry(const $real* A, const $real* B, $real* C, int N) {
  add_kernel<<<1, 1024>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
