// for width in 1, 2, 4, .. below N:
//   merge every pair of neighbouring sorted runs of `width` keys into one run
$bf16{
#include <cuda_bf16.h>
}
#include <cuda_runtime.h>

// One thread merges one pair of runs of `source` into `target`. A run without a partner is left alone.
__global__ void merge_kernel(const $real* source, $real* target, int width, int N) {
  const long long start = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) * 2 * width;
  const long long middle = start + width;
  if (middle >= N) {
    return;
  }
  const long long end = middle + width < N ? middle + width : N;
  long long left = start, right = middle;
  for (long long out = start; out < end; ++out) {
    if (right >= end || (left < middle && source[left] <= source[right])) {
      target[out] = source[left++];
    } else {
      target[out] = source[right++];
    }
  }
}

extern "C" void $entry($real* data, int N) {
  $real* scratch;
  cudaMalloc(&scratch, N * sizeof($real));
  cudaMemcpy(scratch, data, N * sizeof($real), cudaMemcpyDeviceToDevice);
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
  cudaMemcpy(data, scratch, N * sizeof($real), cudaMemcpyDeviceToDevice);
  cudaFree(scratch);
}
