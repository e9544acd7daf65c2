// Dot product to a float32 scalar that is zero on entry, both precisions.
// One wave of blocks; each thread keeps several 16-byte loads of X and Y in flight; one atomic per block.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 512;
constexpr int kBlocksPerSm = 2;
constexpr int kBatch = 4;  // vectors of each input that a thread has in flight

__device__ __forceinline__ float low_half(unsigned pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float high_half(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }

__device__ __forceinline__ float widen(float value) { return value; }
__device__ __forceinline__ float widen(__nv_bfloat16 value) { return __bfloat162float(value); }

__device__ __forceinline__ float vector_dot(const float4& x, const float4& y) {
  return (x.x * y.x + x.y * y.y) + (x.z * y.z + x.w * y.w);
}

__device__ __forceinline__ float pair_dot(unsigned x, unsigned y) {
  return low_half(x) * low_half(y) + high_half(x) * high_half(y);
}

__device__ __forceinline__ float vector_dot(const uint4& x, const uint4& y) {
  return (pair_dot(x.x, y.x) + pair_dot(x.y, y.y)) + (pair_dot(x.z, y.z) + pair_dot(x.w, y.w));
}

template <typename V, typename T>
__global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    dot_product_kernel(float* __restrict__ loss, const T* __restrict__ X, const T* __restrict__ Y, int N) {
  constexpr int per_vector = sizeof(V) / sizeof(T);
  const V* x = reinterpret_cast<const V*>(X);
  const V* y = reinterpret_cast<const V*>(Y);
  // Fewer than 2^29 vectors, so that an index a few grids past the end still fits.
  const int vectors = N / per_vector;
  const int stride = gridDim.x * kThreads;
  const int first = blockIdx.x * kThreads + threadIdx.x;

  float sum[kBatch];
#pragma unroll
  for (int b = 0; b < kBatch; ++b) sum[b] = 0.0f;

  for (int base = blockIdx.x * kThreads; base < vectors; base += kBatch * stride) {
    const int i = base + threadIdx.x;
    V a[kBatch], c[kBatch];
    // Clamped rather than predicated, so that every load is issued before the first use.
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      a[b] = x[min(i + b * stride, vectors - 1)];
      c[b] = y[min(i + b * stride, vectors - 1)];
    }
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const float term = vector_dot(a[b], c[b]);
      sum[b] += i + b * stride < vectors ? term : 0.0f;
    }
  }
  if (first < N % per_vector) {
    const int i = vectors * per_vector + first;
    sum[0] += widen(X[i]) * widen(Y[i]);
  }

  float total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(0xffffffffu, total, offset);

  __shared__ float warp_sums[kThreads / 32];
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x < 32) {
    total = threadIdx.x < kThreads / 32 ? warp_sums[threadIdx.x] : 0.0f;
#pragma unroll
    for (int offset = kThreads / 64; offset > 0; offset /= 2) total += __shfl_down_sync(0xffffffffu, total, offset);
    if (threadIdx.x == 0) atomicAdd(loss, total);
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

template <typename V, typename T>
void run(float* loss, const T* X, const T* Y, int N) {
  if (N <= 0) return;
  const long long vectors = N / (sizeof(V) / sizeof(T));
  const long long wanted = (vectors + kThreads - 1) / kThreads;
  const long long most = static_cast<long long>(multiprocessors()) * kBlocksPerSm;
  const int blocks = static_cast<int>(wanted < 1 ? 1 : (wanted < most ? wanted : most));
  dot_product_kernel<V, T><<<blocks, kThreads>>>(loss, X, Y, N);
}

}  // namespace

extern "C" void dot_product_optimized(float* loss, const float* X, const float* Y, const int N) {
  run<float4>(loss, X, Y, N);
}

extern "C" void dot_product_bf16_optimized(float* loss, const __nv_bfloat16* X, const __nv_bfloat16* Y, const int N) {
  run<uint4>(loss, X, Y, N);
}
