// The k largest of N values with their positions, descending, equal values by position: rounds of block-wide radix
// sorts, each of which keeps the first k of every tile, until one tile is left. The sort is stable and tiles follow
// each other by position, so that equal values stay in order. Where k is more than a quarter of a tile, one device-wide
// stable sort of everything. -0.0 and +0.0 count as equal; NaNs sort by bits.
#include <cub/block/block_radix_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cuda_bf16.h>

#include <algorithm>

#include "mskb/baseline.hpp"

namespace {

constexpr int threads = 512;
constexpr int items = 8;  // per thread
constexpr int tile = threads * items;

struct Lowest {
  __device__ operator float() const { return -INFINITY; }
  __device__ operator __nv_bfloat16() const { return __float2bfloat16(-INFINITY); }
};

// Block t sorts values [t * tile, t * tile + tile) of `count` and writes its first k (or all, where it has fewer) from
// t * k on. Without `positions` a value's position is its own index.
template <class Key>
__global__ void __launch_bounds__(threads) select_kernel(const Key* values, const int* positions, int count, int k,
                                                         Key* kept_values, int* kept_positions) {
  using Sort = cub::BlockRadixSort<Key, threads, items, int>;
  __shared__ typename Sort::TempStorage storage;
  const int begin = blockIdx.x * tile;
  const int valid = count - begin < tile ? count - begin : tile;
  Key keys[items];
  int where[items];
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int i = threadIdx.x * items + j;
    keys[j] = i < valid ? values[begin + i] : static_cast<Key>(Lowest{});
    where[j] = i >= valid ? 0 : positions == nullptr ? begin + i : positions[begin + i];
  }
  Sort(storage).SortDescendingBlockedToStriped(keys, where);
  const int kept = k < valid ? k : valid;
#pragma unroll
  for (int j = 0; j < items; ++j) {
    const int rank = j * threads + threadIdx.x;
    if (rank < kept) {
      kept_values[blockIdx.x * k + rank] = keys[j];
      kept_positions[blockIdx.x * k + rank] = where[j];
    }
  }
}

int tiles_of(int count) { return static_cast<int>((count + std::int64_t{tile} - 1) / tile); }

template <class Key>
void select(Key* top_k_values, int* top_k_indices, const Key* input, int N, int k) {
  static mskb::Workspace memory[4];  // values and positions of one round and of the next
  const Key* values = input;
  const int* positions = nullptr;
  int count = N;
  for (int round = 0;; ++round) {
    const int tiles = tiles_of(count);
    Key* kept_values = top_k_values;
    int* kept_positions = top_k_indices;
    if (tiles > 1) {
      kept_values = static_cast<Key*>(memory[round % 2].at_least(sizeof(Key) * tiles * k));
      kept_positions = static_cast<int*>(memory[2 + round % 2].at_least(sizeof(int) * tiles * k));
    }
    select_kernel<<<tiles, threads>>>(values, positions, count, k, kept_values, kept_positions);
    MSKB_CALL(cudaGetLastError());
    if (tiles == 1) return;
    count = (tiles - 1) * k + std::min(k, count - (tiles - 1) * tile);
    values = kept_values;
    positions = kept_positions;
  }
}

__global__ void number_kernel(int* positions, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) positions[i] = i;
}

template <class Key>
void sort(Key* top_k_values, int* top_k_indices, const Key* input, int N, int k) {
  static mskb::Workspace numbers, all_values, all_positions, scratch;
  auto* positions = static_cast<int*>(numbers.at_least(sizeof(int) * N));
  auto* sorted_values = static_cast<Key*>(all_values.at_least(sizeof(Key) * N));
  auto* sorted_positions = static_cast<int*>(all_positions.at_least(sizeof(int) * N));
  number_kernel<<<(N + 255) / 256, 256>>>(positions, N);
  MSKB_CALL(cudaGetLastError());
  std::size_t bytes = 0;
  MSKB_CALL(cub::DeviceRadixSort::SortPairsDescending(nullptr, bytes, input, sorted_values, positions, sorted_positions,
                                                      N));
  MSKB_CALL(cub::DeviceRadixSort::SortPairsDescending(scratch.at_least(bytes), bytes, input, sorted_values, positions,
                                                      sorted_positions, N));
  MSKB_CALL(cudaMemcpyAsync(top_k_values, sorted_values, sizeof(Key) * k, cudaMemcpyDeviceToDevice));
  MSKB_CALL(cudaMemcpyAsync(top_k_indices, sorted_positions, sizeof(int) * k, cudaMemcpyDeviceToDevice));
}

template <class Key>
void top_k_of(Key* top_k_values, int* top_k_indices, const Key* input, int N, int k) {
  if (N <= tile || k <= tile / 4) {
    select(top_k_values, top_k_indices, input, N, k);
  } else {
    sort(top_k_values, top_k_indices, input, N, k);
  }
}

}  // namespace

extern "C" void top_k(float* top_k_values, int* top_k_indices, const float* input, const int N, const int k) {
  top_k_of(top_k_values, top_k_indices, input, N, k);
}

extern "C" void top_k_bf16(__nv_bfloat16* top_k_values, int* top_k_indices, const __nv_bfloat16* input, const int N,
                           const int k) {
  top_k_of(top_k_values, top_k_indices, input, N, k);
}
