// CSR sparse matrix times vector, both precisions.
// A group of 8, 16 or 32 lanes owns a row (fewer lanes as the row count grows, so that one wave of threads covers the
// matrix); rows far longer than that are left to the whole block.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 890
constexpr int kBlocksPerSm = 6;  // 1536 threads are all that one multiprocessor holds
#else
constexpr int kBlocksPerSm = 8;
#endif
constexpr int kBlockBatch = 4;    // entries a thread has in flight when the block shares a row
constexpr int kLongRow = 1024;    // entries above which the block shares a row

__device__ __forceinline__ float widen(float value) { return value; }
__device__ __forceinline__ float widen(__nv_bfloat16 value) { return __bfloat162float(value); }

__device__ __forceinline__ void narrow(float value, float* out) { *out = value; }
__device__ __forceinline__ void narrow(float value, __nv_bfloat16* out) { *out = __float2bfloat16_rn(value); }

// Entries first, first + kStride, ... below end. Indices are clamped rather than predicated, so that the kBatch loads
// of columns and values are all issued before the first gather.
template <int kStride, int kBatch, typename T>
__device__ __forceinline__ float partial_row(const T* __restrict__ values, const int* __restrict__ col_indices,
                                             const T* __restrict__ x, int first, int end) {
  float sum = 0.0f;
  for (int j = first; j < end; j += kStride * kBatch) {
    int column[kBatch];
    float value[kBatch];
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const int k = min(j + b * kStride, end - 1);
      column[b] = __ldg(col_indices + k);
      value[b] = widen(__ldg(values + k));
    }
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const float factor = widen(__ldg(x + column[b]));
      sum += j + b * kStride < end ? value[b] * factor : 0.0f;
    }
  }
  return sum;
}

template <typename T, int kLanes, int kBatch>
__global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    spmv_csr_kernel(int rows, const T* __restrict__ values, const int* __restrict__ col_indices,
                    const int* __restrict__ row_offsets, const T* __restrict__ x, T* __restrict__ y) {
  constexpr int rows_per_block = kThreads / kLanes;
  __shared__ int long_rows[rows_per_block];
  __shared__ int long_count;
  __shared__ float warp_sums[kWarps];

  const int lane = threadIdx.x % kLanes;
  const int row = blockIdx.x * rows_per_block + threadIdx.x / kLanes;
  int begin = 0, end = 0;
  if (row < rows) {
    begin = __ldg(row_offsets + row);
    end = __ldg(row_offsets + row + 1);
  }
  if (threadIdx.x == 0) long_count = 0;
  __syncthreads();

  const bool is_long = end - begin > kLongRow;
  float sum = 0.0f;
  if (!is_long) sum = partial_row<kLanes, kBatch>(values, col_indices, x, begin + lane, end);
#pragma unroll
  for (int offset = kLanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (lane == 0 && row < rows) {
    if (is_long) {
      long_rows[atomicAdd(&long_count, 1)] = row;
    } else {
      narrow(sum, y + row);
    }
  }
  __syncthreads();

  const int count = long_count;
  for (int s = 0; s < count; ++s) {
    const int long_row = long_rows[s];
    float part = partial_row<kThreads, kBlockBatch>(values, col_indices, x, row_offsets[long_row] + threadIdx.x,
                                                    row_offsets[long_row + 1]);
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) part += __shfl_xor_sync(0xffffffffu, part, offset);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = part;
    __syncthreads();
    if (threadIdx.x == 0) {
      float total = 0.0f;
#pragma unroll
      for (int w = 0; w < kWarps; ++w) total += warp_sums[w];
      narrow(total, y + long_row);
    }
    __syncthreads();
  }
}

int multiprocessors() {
  static const int count = [] {
    int device = 0, value = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device);
    return value > 0 ? value : 1;
  }();
  return count;
}

template <typename T, int kLanes, int kBatch>
void launch(int rows, const T* values, const int* col_indices, const int* row_offsets, const T* x, T* y) {
  constexpr int rows_per_block = kThreads / kLanes;
  const int blocks = (rows - 1) / rows_per_block + 1;
  spmv_csr_kernel<T, kLanes, kBatch><<<blocks, kThreads>>>(rows, values, col_indices, row_offsets, x, y);
}

template <typename T>
void run(int rows, const T* values, const int* col_indices, const int* row_offsets, const T* x, T* y) {
  if (rows <= 0) return;
  const long long resident = static_cast<long long>(multiprocessors()) * 2048;
  if (static_cast<long long>(rows) * 32 <= resident) {
    launch<T, 32, 1>(rows, values, col_indices, row_offsets, x, y);
  } else if (static_cast<long long>(rows) * 16 <= resident) {
    launch<T, 16, 2>(rows, values, col_indices, row_offsets, x, y);
  } else {
    launch<T, 8, 3>(rows, values, col_indices, row_offsets, x, y);
  }
}

}  // namespace

extern "C" void spmv_csr_optimized(int rows, const float* values, const int* col_indices, const int* row_offsets,
                                   const float* x, float* y) {
  run(rows, values, col_indices, row_offsets, x, y);
}

extern "C" void spmv_csr_bf16_optimized(int rows, const __nv_bfloat16* values, const int* col_indices,
                                        const int* row_offsets, const __nv_bfloat16* x, __nv_bfloat16* y) {
  run(rows, values, col_indices, row_offsets, x, y);
}
