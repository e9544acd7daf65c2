// for i in 0..N-1:
//   C[i] = A[i] + B[i]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void add_kernel(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    C[i] = __float2bfloat16(__bfloat162float(A[i]) + __bfloat162float(B[i]));
  }
}

extern "C" void vector_add_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int N) {
  add_kernel<<<1, 1024>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
