#include <cuda_bf16.h>
#include <cuda_runtime.h>

typedef __nv_bfloat16 elem;

__device__ __forceinline__ float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ __forceinline__ __nv_bfloat16 from_float(float x) { return __float2bfloat16(x); }

// Loads of consecutive words of two elements; volatile, so that all are issued before the reduction.
__device__ __forceinline__ void load_words(const void* p, unsigned int (&v)[1]) {
  asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(v[0]) : "l"(p));
}
__device__ __forceinline__ void load_words(const void* p, unsigned int (&v)[2]) {
  asm volatile("ld.global.nc.v2.b32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "l"(p));
}
__device__ __forceinline__ void load_words(const void* p, unsigned int (&v)[4]) {
  asm volatile("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
               : "l"(p));
}
__device__ __forceinline__ void store_words(void* p, const unsigned int (&v)[1]) {
  *reinterpret_cast<unsigned int*>(p) = v[0];
}
__device__ __forceinline__ void store_words(void* p, const unsigned int (&v)[2]) {
  *reinterpret_cast<uint2*>(p) = make_uint2(v[0], v[1]);
}
__device__ __forceinline__ void store_words(void* p, const unsigned int (&v)[4]) {
  *reinterpret_cast<uint4*>(p) = make_uint4(v[0], v[1], v[2], v[3]);
}

// Two floats, rounded to nearest even, in one word: `low` in the low half.
__device__ __forceinline__ unsigned int pack_two(float low, float high) {
  const unsigned int a = __bfloat16_as_ushort(__float2bfloat16(low));
  const unsigned int b = __bfloat16_as_ushort(__float2bfloat16(high));
  return a | (b << 16);
}

template <int VEC>
__device__ __forceinline__ void store_vec(__nv_bfloat16* p, const float (&y)[VEC]) {
  unsigned int words[VEC / 2];
#pragma unroll
  for (int k = 0; k < VEC / 2; ++k) {
    words[k] = pack_two(y[2 * k], y[2 * k + 1]);
  }
  store_words(p, words);
}

template <int VEC>
struct Raw {
  unsigned int v[VEC / 2];
  __device__ __forceinline__ void load(const __nv_bfloat16* p) { load_words(p, v); }
  __device__ __forceinline__ void unpack(float (&out)[VEC]) const {
#pragma unroll
    for (int k = 0; k < VEC / 2; ++k) {
      out[2 * k] = __uint_as_float(v[k] << 16);
      out[2 * k + 1] = __uint_as_float(v[k] & 0xffff0000u);
    }
  }
};

// One block of WARPS full warps; N is exactly VEC * 32 * WARPS.
template <int VEC, int WARPS>
__global__ void __launch_bounds__(32 * WARPS)
exact_kernel(elem* __restrict__ output, const elem* __restrict__ input, const elem* __restrict__ weight,
             const elem* __restrict__ bias, float epsilon) {
  constexpr float PER_WARP = 32.0f * VEC;
  constexpr float INV_N = 1.0f / (32.0f * VEC * WARPS);  // a power of two: exact
  const int first = threadIdx.x * VEC;

  Raw<VEC> raw_x, raw_w, raw_b;
  raw_x.load(input + first);
  raw_w.load(weight + first);
  raw_b.load(bias + first);

  float x[VEC];
  raw_x.unpack(x);

  // Sum and sum of squared deviations of this thread's elements.
  float tree[VEC];
#pragma unroll
  for (int k = 0; k < VEC; ++k) tree[k] = x[k];
#pragma unroll
  for (int width = VEC / 2; width > 0; width /= 2) {
#pragma unroll
    for (int k = 0; k < width; ++k) tree[k] += tree[k + width];
  }
  float s = tree[0];
  float m2 = 0.0f;
  {
    const float own_mean = s * (1.0f / VEC);
#pragma unroll
    for (int k = 0; k < VEC; ++k) {
      const float d = x[k] - own_mean;
      m2 = fmaf(d, d, m2);
    }
  }

  // Pairwise merging; both sides of a level stand for equally many elements.
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    const float other_s = __shfl_xor_sync(0xffffffffu, s, lanes);
    const float other_m2 = __shfl_xor_sync(0xffffffffu, m2, lanes);
    const float c = 1.0f / (2.0f * VEC * lanes);
    const float d = s - other_s;
    m2 = fmaf(d * c, d, m2 + other_m2);
    s += other_s;
  }

  if constexpr (WARPS > 1) {
    __shared__ __align__(16) float2 parts[WARPS];
    if ((threadIdx.x & 31) == 0) {
      parts[threadIdx.x >> 5] = make_float2(s, m2);
    }
    __syncthreads();
    float part_s[WARPS], part_m2[WARPS];
#pragma unroll
    for (int w = 0; w < WARPS; w += 2) {
      const float4 two = *reinterpret_cast<const float4*>(&parts[w]);
      part_s[w] = two.x;
      part_m2[w] = two.y;
      part_s[w + 1] = two.z;
      part_m2[w + 1] = two.w;
    }
    // The same pairwise merging over the warps, now within each thread.
#pragma unroll
    for (int width = WARPS / 2; width > 0; width /= 2) {
      const float c = 1.0f / (2.0f * PER_WARP * (WARPS / 2 / width));
#pragma unroll
      for (int w = 0; w < width; ++w) {
        const float d = part_s[w] - part_s[w + width];
        part_m2[w] = fmaf(d * c, d, part_m2[w] + part_m2[w + width]);
        part_s[w] += part_s[w + width];
      }
    }
    s = part_s[0];
    m2 = part_m2[0];
  }

  const float mean = s * INV_N;
  const float scale = rsqrtf(fmaf(m2, INV_N, epsilon));

  float w[VEC], b[VEC], y[VEC];
  raw_w.unpack(w);
  raw_b.unpack(b);
#pragma unroll
  for (int k = 0; k < VEC; ++k) {
    y[k] = fmaf((x[k] - mean) * scale, w[k], b[k]);
  }
  store_vec(output + first, y);
}

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    v += __shfl_xor_sync(0xffffffffu, v, lanes);
  }
  return v;
}

// Sum over a block of full warps; every thread receives it. `slots` is used once.
__device__ __forceinline__ float block_sum(float v, float* slots) {
  v = warp_sum(v);
  if (blockDim.x <= 32) {
    return v;
  }
  const int lane = threadIdx.x & 31;
  if (lane == 0) {
    slots[threadIdx.x >> 5] = v;
  }
  __syncthreads();
  const int warps = blockDim.x >> 5;
  return warp_sum(lane < warps ? slots[lane] : 0.0f);
}

// One block, at most four elements per thread.
__global__ void __launch_bounds__(1024)
small_kernel(elem* __restrict__ output, const elem* __restrict__ input, const elem* __restrict__ weight,
             const elem* __restrict__ bias, float epsilon, int N) {
  __shared__ float slots_a[32];
  __shared__ float slots_b[32];
  float x[4], w[4], b[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    const bool valid = i < N;
    x[k] = valid ? to_float(input[i]) : 0.0f;
    w[k] = valid ? to_float(weight[i]) : 0.0f;
    b[k] = valid ? to_float(bias[i]) : 0.0f;
  }
  const float count = static_cast<float>(N);
  const float mean = block_sum((x[0] + x[1]) + (x[2] + x[3]), slots_a) / count;
  float squares = 0.0f;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    if (i < N) {
      const float d = x[k] - mean;
      squares = fmaf(d, d, squares);
    }
  }
  const float variance = block_sum(squares, slots_b) / count;
  const float scale = rsqrtf(variance + epsilon);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    if (i < N) {
      output[i] = from_float(fmaf((x[k] - mean) * scale, w[k], b[k]));
    }
  }
}

// Long vectors: three kernels, partial sums in FP64 in a static workspace.
constexpr int LARGE_THREADS = 256;
constexpr int LARGE_BLOCKS = 1024;

__device__ double partial_sums[LARGE_BLOCKS];
__device__ double partial_squares[LARGE_BLOCKS];

// Sum over a block of LARGE_THREADS threads; every thread receives it.
__device__ __forceinline__ double large_block_sum(double v) {
  __shared__ double slots[LARGE_THREADS / 32];
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    v += __shfl_xor_sync(0xffffffffu, v, lanes);
  }
  __syncthreads();  // the slots of an earlier call have been read
  if ((threadIdx.x & 31) == 0) {
    slots[threadIdx.x >> 5] = v;
  }
  __syncthreads();
  double total = 0.0;
#pragma unroll
  for (int k = 0; k < LARGE_THREADS / 32; ++k) {
    total += slots[k];
  }
  return total;
}

__device__ __forceinline__ float reduce_partials(const double* partials, unsigned int count, int N) {
  double v = 0.0;
  for (unsigned int k = threadIdx.x; k < count; k += LARGE_THREADS) {
    v += partials[k];
  }
  return static_cast<float>(large_block_sum(v)) / static_cast<float>(N);
}

__global__ void __launch_bounds__(LARGE_THREADS) large_sum_kernel(const elem* __restrict__ input, int N) {
  const unsigned int n = static_cast<unsigned int>(N);
  const unsigned int stride = gridDim.x * LARGE_THREADS;
  double v[4] = {0.0, 0.0, 0.0, 0.0};
  // i + 3 * stride stays far below 2^32.
  for (unsigned int i = blockIdx.x * LARGE_THREADS + threadIdx.x; i < n; i += 4 * stride) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned int j = i + k * stride;
      if (j < n) {
        v[k] += to_float(input[j]);
      }
    }
  }
  const double total = large_block_sum((v[0] + v[1]) + (v[2] + v[3]));
  if (threadIdx.x == 0) {
    partial_sums[blockIdx.x] = total;
  }
}

__global__ void __launch_bounds__(LARGE_THREADS) large_square_kernel(const elem* __restrict__ input, int N) {
  const float mean = reduce_partials(partial_sums, gridDim.x, N);
  const unsigned int n = static_cast<unsigned int>(N);
  const unsigned int stride = gridDim.x * LARGE_THREADS;
  double v[4] = {0.0, 0.0, 0.0, 0.0};
  for (unsigned int i = blockIdx.x * LARGE_THREADS + threadIdx.x; i < n; i += 4 * stride) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned int j = i + k * stride;
      if (j < n) {
        const float d = to_float(input[j]) - mean;
        v[k] += d * d;
      }
    }
  }
  const double total = large_block_sum((v[0] + v[1]) + (v[2] + v[3]));
  if (threadIdx.x == 0) {
    partial_squares[blockIdx.x] = total;
  }
}

__global__ void __launch_bounds__(LARGE_THREADS)
large_normalize_kernel(elem* __restrict__ output, const elem* __restrict__ input, const elem* __restrict__ weight,
                       const elem* __restrict__ bias, float epsilon, int N) {
  const float mean = reduce_partials(partial_sums, gridDim.x, N);
  const float variance = reduce_partials(partial_squares, gridDim.x, N);
  const float scale = rsqrtf(variance + epsilon);
  const unsigned int n = static_cast<unsigned int>(N);
  const unsigned int stride = gridDim.x * LARGE_THREADS;
  for (unsigned int i = blockIdx.x * LARGE_THREADS + threadIdx.x; i < n; i += stride) {
    output[i] = from_float(fmaf((to_float(input[i]) - mean) * scale, to_float(weight[i]), to_float(bias[i])));
  }
}

extern "C" void layer_norm_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* weight, const __nv_bfloat16* bias, float epsilon, int N) {
  switch (N) {
    case 1024:
      exact_kernel<8, 4><<<1, 128>>>(output, input, weight, bias, epsilon);
      return;
    case 512:
      exact_kernel<8, 2><<<1, 64>>>(output, input, weight, bias, epsilon);
      return;
    case 256:
      exact_kernel<8, 1><<<1, 32>>>(output, input, weight, bias, epsilon);
      return;
    case 128:
      exact_kernel<4, 1><<<1, 32>>>(output, input, weight, bias, epsilon);
      return;
    case 64:
      exact_kernel<2, 1><<<1, 32>>>(output, input, weight, bias, epsilon);
      return;
    default:
      break;
  }
  if (N <= 0) {
    return;
  }
  if (N <= 4096) {
    const int threads = ((N + 3) / 4 + 31) / 32 * 32;
    small_kernel<<<1, threads>>>(output, input, weight, bias, epsilon, N);
    return;
  }
  int blocks = (N - 1) / 1024 + 1;
  if (blocks > LARGE_BLOCKS) {
    blocks = LARGE_BLOCKS;
  }
  large_sum_kernel<<<blocks, LARGE_THREADS>>>(input, N);
  large_square_kernel<<<blocks, LARGE_THREADS>>>(input, N);
  large_normalize_kernel<<<blocks, LARGE_THREADS>>>(output, input, weight, bias, epsilon, N);
}
