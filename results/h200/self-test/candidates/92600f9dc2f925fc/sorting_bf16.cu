// for width in 1, 2, 4, .. below N:
//   merge every pair of neighbouring sorted runs of `width` keys into one run
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// One thread merges one pair of runs of `source` into `target`. A run without a partner is left alone.
__global__ void merge_kernel(const __nv_bfloat16* source, __nv_bfloat16* target, int width, int N) {
  const long long start = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) * 2 * width;
  if (start + width >= N) {
    return;
  }
  const int middle = static_cast<int>(start) + width;
  const int end = N - middle < width ? N : middle + width;
  int left = static_cast<int>(start), right = middle, out = static_cast<int>(start);
  while (left < middle && right < end) {
    if (source[left] <= source[right]) {
      target[out++] = source[left++];
    } else {
      target[out++] = source[right++];
    }
  }
  while (left < middle) {
    target[out++] = source[left++];
  }
  while (right < end) {
    target[out++] = source[right++];
  }
}

extern "C" void sorting_bf16(__nv_bfloat16* data, int N) {
  __nv_bfloat16* scratch;
  cudaMalloc(&scratch, N * sizeof(__nv_bfloat16));
  cudaMemcpy(scratch, data, N * sizeof(__nv_bfloat16), cudaMemcpyDeviceToDevice);
  const int threads = 256;
  for (int width = 1; width < N; width *= 2) {
    const int pairs = (N + 2LL * width - 1) / (2LL * width);
    const int blocks = (pairs + threads - 1) / threads;
    // The same width twice: the second merge finds each pair in order already and only copies it back.
    merge_kernel<<<blocks, threads>>>(scratch, data, width, N);
    cudaDeviceSynchronize();
    merge_kernel<<<blocks, threads>>>(data, scratch, width, N);
    cudaDeviceSynchronize();
  }
  cudaMemcpy(data, scratch, N * sizeof(__nv_bfloat16), cudaMemcpyDeviceToDevice);
  cudaFree(scratch);
}
