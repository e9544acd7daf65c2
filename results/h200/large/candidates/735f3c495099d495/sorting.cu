// Ascending sort of N floating-point keys in place.
// Radix sort between the array and a second one; where the result ends in the second one it is copied back. -0.0 and
// +0.0 count as equal and keep their order and bits, so the output is a permutation of the input; NaNs sort by bits.
#include <cub/device/device_radix_sort.cuh>
#include <cuda_bf16.h>

#include "mskb/baseline.hpp"

namespace {

template <class Key>
void sort(Key* data, int N) {
  static mskb::Workspace second_array;
  static mskb::Workspace scratch;
  cub::DoubleBuffer<Key> keys(data, static_cast<Key*>(second_array.at_least(sizeof(Key) * N)));
  std::size_t bytes = 0;
  MSKB_CALL(cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, N));
  MSKB_CALL(cub::DeviceRadixSort::SortKeys(scratch.at_least(bytes), bytes, keys, N));
  if (keys.Current() != data)
    MSKB_CALL(cudaMemcpyAsync(data, keys.Current(), sizeof(Key) * N, cudaMemcpyDeviceToDevice));
}

}  // namespace

extern "C" void sorting(float* data, int N) { sort(data, N); }

extern "C" void sorting_bf16(__nv_bfloat16* data, int N) { sort(data, N); }
