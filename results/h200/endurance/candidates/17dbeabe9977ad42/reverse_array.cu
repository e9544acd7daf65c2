// for i in 0..N-1:
//   output[i] = input[N - 1 - i]
#include <cuda_runtime.h>

// Each thread exchanges one pair; the middle element of an odd vector is a pair with itself.
__global__ void reverse_kernel(float* output, const float* input, int N) {
  const int left = blockIdx.x * blockDim.x + threadIdx.x;
  const int right = N - 1 - left;
  if (left <= right) {
    const float first = input[left];
    const float last = input[right];
    output[left] = last;
    output[right] = first;
  }
}

extern "C" void reverse_array(float* output, float* input, int N) {
  const int threads = 256;
  const int pairs = N / 2 + N % 2;
  reverse_kernel<<<(pairs + threads - 1) / threads, threads>>>(output, input, N);
  cudaDeviceSynchronize();
}
