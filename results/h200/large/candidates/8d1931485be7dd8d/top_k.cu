// sort the pairs (input[i], i) for i in 0..N-1 by value descending, equal values by position ascending:
//   for width in 1, 2, 4, .. below N:
//     merge every pair of neighbouring sorted runs of `width` pairs into one run
// for r in 0..k-1:
//   top_k_values[r], top_k_indices[r] = pair r
#include <cuda_runtime.h>

struct Pair {
  float value;
  int index;
};

__device__ bool comes_first(const Pair& a, const Pair& b) {
  const float x = a.value;
  const float y = b.value;
  if (x > y) {
    return true;
  }
  if (x < y) {
    return false;
  }
  return a.index < b.index;
}

__global__ void make_pairs_kernel(const float* input, Pair* pairs, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    pairs[i].value = input[i];
    pairs[i].index = i;
  }
}

// One thread merges one pair of runs of `source` into `target`. A run without a partner is copied.
__global__ void merge_kernel(const Pair* source, Pair* target, int width, int N) {
  const long long start = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) * 2 * width;
  if (start >= N) {
    return;
  }
  const int begin = static_cast<int>(start);
  const int middle = N - begin < width ? N : begin + width;
  const int end = N - middle < width ? N : middle + width;
  int left = begin, right = middle, out = begin;
  while (left < middle && right < end) {
    if (comes_first(source[left], source[right])) {
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

__global__ void take_kernel(const Pair* pairs, float* top_k_values, int* top_k_indices, int k) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < k) {
    top_k_values[r] = pairs[r].value;
    top_k_indices[r] = pairs[r].index;
  }
}

extern "C" void top_k(float* top_k_values, int* top_k_indices, const float* input, const int N, const int k) {
  Pair *pairs, *scratch;
  cudaMalloc(&pairs, N * sizeof(Pair));
  cudaMalloc(&scratch, N * sizeof(Pair));
  const int threads = 256;
  make_pairs_kernel<<<(N + threads - 1) / threads, threads>>>(input, pairs, N);
  cudaDeviceSynchronize();
  for (int width = 1; width < N; width *= 2) {
    const int runs = (N + 2LL * width - 1) / (2LL * width);
    const int blocks = (runs + threads - 1) / threads;
    // The same width twice: the second merge finds each pair of runs in order already and only copies it back.
    merge_kernel<<<blocks, threads>>>(pairs, scratch, width, N);
    cudaDeviceSynchronize();
    merge_kernel<<<blocks, threads>>>(scratch, pairs, width, N);
    cudaDeviceSynchronize();
  }
  take_kernel<<<(k + threads - 1) / threads, threads>>>(pairs, top_k_values, top_k_indices, k);
  cudaDeviceSynchronize();
  cudaFree(pairs);
  cudaFree(scratch);
}
