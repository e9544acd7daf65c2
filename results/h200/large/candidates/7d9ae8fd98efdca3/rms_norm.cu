// RMS normalisation of one whole vector, both precisions.
// Up to kOneLaunch elements: every block sums the whole vector for itself (from the cache) and then writes its own
// slice, so that one launch suffices. Beyond: partial sums per block, then a second kernel that adds them up and
// normalises.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

constexpr int kOneLaunch = 32768;
constexpr int kPartialThreads = 512;
constexpr int kMostPartials = 512;
constexpr int kBatch = 4;  // vectors a thread has in flight

__device__ __forceinline__ float low_half(unsigned pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float high_half(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }
__device__ __forceinline__ unsigned pack_pair(float low, float high) {
  return static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16_rn(low))) |
         (static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16_rn(high))) << 16);
}

__device__ __forceinline__ float widen(float value) { return value; }
__device__ __forceinline__ float widen(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ __forceinline__ void narrow(float value, float* out) { *out = value; }
__device__ __forceinline__ void narrow(float value, __nv_bfloat16* out) { *out = __float2bfloat16_rn(value); }

template <typename T>
struct Vector;
template <>
struct Vector<float> {
  using Type = float4;
};
template <>
struct Vector<__nv_bfloat16> {
  using Type = uint4;
};

__device__ __forceinline__ float square_sum(const float4& v) {
  return (v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w);
}
__device__ __forceinline__ float square_sum(unsigned pair) {
  return low_half(pair) * low_half(pair) + high_half(pair) * high_half(pair);
}
__device__ __forceinline__ float square_sum(const uint4& v) {
  return (square_sum(v.x) + square_sum(v.y)) + (square_sum(v.z) + square_sum(v.w));
}

__device__ __forceinline__ float4 affine(const float4& x, const float4& w, const float4& b, float scale) {
  return make_float4(w.x * (x.x * scale) + b.x, w.y * (x.y * scale) + b.y, w.z * (x.z * scale) + b.z,
                     w.w * (x.w * scale) + b.w);
}
__device__ __forceinline__ unsigned affine(unsigned x, unsigned w, unsigned b, float scale) {
  return pack_pair(low_half(w) * (low_half(x) * scale) + low_half(b),
                   high_half(w) * (high_half(x) * scale) + high_half(b));
}
__device__ __forceinline__ uint4 affine(const uint4& x, const uint4& w, const uint4& b, float scale) {
  return make_uint4(affine(x.x, w.x, b.x, scale), affine(x.y, w.y, b.y, scale), affine(x.z, w.z, b.z, scale),
                    affine(x.w, w.w, b.w, scale));
}

// The sum over the block, to every thread. kThreads is a power of two from 32 to 1024.
template <int kThreads>
__device__ __forceinline__ float block_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  if (kThreads == 32) return value;
  constexpr int warps = kThreads / 32;
  __shared__ float warp_sums[warps];
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (warps <= 8) {
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < warps; ++w) total += warp_sums[w];
    return total;
  }
  float total = threadIdx.x % 32 < warps ? warp_sums[threadIdx.x % 32] : 0.0f;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) total += __shfl_xor_sync(0xffffffffu, total, offset);
  return total;
}

// Sum of squares of vectors first, first + stride, ... and, where tail >= 0, of that single element.
template <typename T>
__device__ __forceinline__ float partial_squares(const T* __restrict__ input, int vectors, int first, int stride,
                                                 int tail) {
  using V = typename Vector<T>::Type;
  const V* x = reinterpret_cast<const V*>(input);
  float sum = 0.0f;
  for (int i = first; i < vectors; i += kBatch * stride) {
    V a[kBatch];
#pragma unroll
    for (int b = 0; b < kBatch; ++b) a[b] = x[min(i + b * stride, vectors - 1)];
#pragma unroll
    for (int b = 0; b < kBatch; ++b) {
      const float squares = square_sum(a[b]);
      sum += i + b * stride < vectors ? squares : 0.0f;
    }
  }
  if (tail >= 0) {
    const float value = widen(input[tail]);
    sum += value * value;
  }
  return sum;
}

// One vector per thread and at most one element of the remainder; every block sums the whole of input.
template <typename T, int kThreads>
__global__ void __launch_bounds__(kThreads, 1)
    rms_norm_one_launch(T* __restrict__ output, const T* __restrict__ input, const T* __restrict__ weight,
                        const T* __restrict__ bias, float epsilon, int N) {
  using V = typename Vector<T>::Type;
  constexpr int per_vector = sizeof(V) / sizeof(T);
  const int vectors = N / per_vector;
  const int tail = threadIdx.x < N % per_vector ? vectors * per_vector + static_cast<int>(threadIdx.x) : -1;
  const int mine = blockIdx.x * kThreads + threadIdx.x;
  const bool owns_tail = tail >= 0 && blockIdx.x == gridDim.x - 1;

  // Everything the slice needs is asked for before the reduction.
  V x, w, b;
  const bool owns_vector = mine < vectors;
  if (owns_vector) {
    x = reinterpret_cast<const V*>(input)[mine];
    w = reinterpret_cast<const V*>(weight)[mine];
    b = reinterpret_cast<const V*>(bias)[mine];
  }
  float tail_x = 0.0f, tail_w = 0.0f, tail_b = 0.0f;
  if (owns_tail) {
    tail_x = widen(input[tail]);
    tail_w = widen(weight[tail]);
    tail_b = widen(bias[tail]);
  }

  float sum;
  if (gridDim.x == 1) {
    sum = (owns_vector ? square_sum(x) : 0.0f) + tail_x * tail_x;
  } else {
    sum = partial_squares(input, vectors, threadIdx.x, kThreads, tail);
  }
  sum = block_sum<kThreads>(sum);
  const float scale = 1.0f / sqrtf(sum / static_cast<float>(N) + epsilon);
  if (owns_vector) reinterpret_cast<V*>(output)[mine] = affine(x, w, b, scale);
  if (owns_tail) narrow(tail_w * (tail_x * scale) + tail_b, output + tail);
}

template <typename T>
__global__ void __launch_bounds__(kPartialThreads, 2)
    rms_norm_partials(const T* __restrict__ input, int N, float* __restrict__ partials) {
  constexpr int per_vector = sizeof(typename Vector<T>::Type) / sizeof(T);
  const int vectors = N / per_vector;
  const int first = blockIdx.x * kPartialThreads + threadIdx.x;
  const int tail = first < N % per_vector ? vectors * per_vector + first : -1;
  const float sum = block_sum<kPartialThreads>(
      partial_squares(input, vectors, first, static_cast<int>(gridDim.x) * kPartialThreads, tail));
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

template <typename T>
__global__ void __launch_bounds__(kPartialThreads, 2)
    rms_norm_apply(T* __restrict__ output, const T* __restrict__ input, const T* __restrict__ weight,
                   const T* __restrict__ bias, float epsilon, int N, const float* __restrict__ partials, int count) {
  using V = typename Vector<T>::Type;
  constexpr int per_vector = sizeof(V) / sizeof(T);
  const int vectors = N / per_vector;
  const int first = blockIdx.x * kPartialThreads + threadIdx.x;
  const float sum = block_sum<kPartialThreads>(static_cast<int>(threadIdx.x) < count ? partials[threadIdx.x] : 0.0f);
  const float scale = 1.0f / sqrtf(sum / static_cast<float>(N) + epsilon);

  const int stride = gridDim.x * kPartialThreads;
  for (int i = first; i < vectors; i += stride) {
    reinterpret_cast<V*>(output)[i] =
        affine(reinterpret_cast<const V*>(input)[i], reinterpret_cast<const V*>(weight)[i],
               reinterpret_cast<const V*>(bias)[i], scale);
  }
  if (first < N % per_vector) {
    const int i = vectors * per_vector + first;
    narrow(widen(weight[i]) * (widen(input[i]) * scale) + widen(bias[i]), output + i);
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

float* partials_workspace() {
  static float* const workspace = [] {
    void* memory = nullptr;
    cudaMalloc(&memory, kMostPartials * sizeof(float));
    return static_cast<float*>(memory);
  }();
  return workspace;
}

template <typename T, int kThreads>
void launch_one(T* output, const T* input, const T* weight, const T* bias, float epsilon, int N, int vectors) {
  const int blocks = vectors <= kThreads ? 1 : (vectors + kThreads - 1) / kThreads;
  rms_norm_one_launch<T, kThreads><<<blocks, kThreads>>>(output, input, weight, bias, epsilon, N);
}

template <typename T>
void run(T* output, const T* input, const T* weight, const T* bias, float epsilon, int N) {
  if (N <= 0) return;
  const int vectors = N / static_cast<int>(sizeof(typename Vector<T>::Type) / sizeof(T));
  if (vectors <= 32) {
    launch_one<T, 32>(output, input, weight, bias, epsilon, N, vectors);
  } else if (vectors <= 64) {
    launch_one<T, 64>(output, input, weight, bias, epsilon, N, vectors);
  } else if (vectors <= 128) {
    launch_one<T, 128>(output, input, weight, bias, epsilon, N, vectors);
  } else if (vectors <= 256) {
    launch_one<T, 256>(output, input, weight, bias, epsilon, N, vectors);
  } else if (N <= kOneLaunch) {
    launch_one<T, 1024>(output, input, weight, bias, epsilon, N, vectors);
  } else {
    const int wanted = (vectors + kPartialThreads - 1) / kPartialThreads;
    const int resident = multiprocessors() * 2;
    int count = wanted < resident ? wanted : resident;
    if (count > kMostPartials) count = kMostPartials;
    float* const partials = partials_workspace();
    rms_norm_partials<T><<<count, kPartialThreads>>>(input, N, partials);
    const int blocks = wanted < 65536 ? wanted : 65536;
    rms_norm_apply<T><<<blocks, kPartialThreads>>>(output, input, weight, bias, epsilon, N, partials, count);
  }
}

}  // namespace

extern "C" void rms_norm_optimized(float* output, const float* input, const float* weight, const float* bias,
                                   const float epsilon, const int N) {
  run(output, input, weight, bias, epsilon, N);
}

extern "C" void rms_norm_bf16_optimized(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* weight,
                                        const __nv_bfloat16* bias, const float epsilon, const int N) {
  run(output, input, weight, bias, epsilon, N);
}
