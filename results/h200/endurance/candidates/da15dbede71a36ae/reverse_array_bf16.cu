// version 32
// for i in 0..N-1:
//   output[i] = input[N - 1 - i]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// Each thread exchanges one pair; the middle element of an odd vector is a pair with itself.
__global__ void reverse_kernel(__nv_bfloat16* output, const __nv_bfloat16* input, int N) {
  const int left = blockIdx.x * blockDim.x + threadIdx.x;
  const int right = N - 1 - left;
  if (left <= right) {
    const __nv_bfloat16 first = input[left];
    const __nv_bfloat16 last = input[right];
    output[left] = last;
    output[right] = first;
  }
}

extern "C" void reverse_array_bf16(__nv_bfloat16* output, __nv_bfloat16* input, int N) {
  const int threads = 256;
  const int pairs = N / 2 + N % 2;
  reverse_kernel<<<(pairs + threads - 1) / threads, threads>>>(output, input, N);
  cudaDeviceSynchronize();
}
