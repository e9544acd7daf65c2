// for i in 0..N-1:
//   C[i] = A[i] + B[i]
#include <cuda_runtime.h>

// One block walks over all elements.
__global__ void add_kernel(const float* A, const float* B, float* C, int N) {
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    C[i] = A[i] + B[i];
  }
}

extern "C" void vector_add(const float* A, const float* B, float* C, int N) {
  add_kernel<<<1, 1024>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
