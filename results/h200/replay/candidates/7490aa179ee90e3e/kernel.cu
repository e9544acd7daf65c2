#include <cuda_runtime.h>

typedef float elem;

__device__ __forceinline__ float to_float(float x) { return x; }
__device__ __forceinline__ float from_float(float x) { return x; }

// Loads of VEC consecutive elements; volatile, so that all are issued before the reduction.
__device__ __forceinline__ void load_vec(const float* p, float (&v)[2]) {
  asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(v[0]), "=f"(v[1]) : "l"(p));
}
__device__ __forceinline__ void load_vec(const float* p, float (&v)[4]) {
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
               : "l"(p));
}
__device__ __forceinline__ void store_vec(float* p, const float (&v)[2]) {
  *reinterpret_cast<float2*>(p) = make_float2(v[0], v[1]);
}
__device__ __forceinline__ void store_vec(float* p, const float (&v)[4]) {
  *reinterpret_cast<float4*>(p) = make_float4(v[0], v[1], v[2], v[3]);
}

template <int VEC>
struct Raw {
  float v[VEC];
  __device__ __forceinline__ void load(const float* p) { load_vec(p, v); }
  __device__ __forceinline__ void unpack(float (&out)[VEC]) const {
#pragma unroll
    for (int k = 0; k < VEC; ++k) out[k] = v[k];
  }
};

// One block of WARPS full warps; N is exactly 32 * VEC * WARPS * OWN. Every warp computes the statistics of the
// whole vector for itself, without shared memory or barriers, and normalises OWN chunks of 32 * VEC elements.
template <int VEC, int WARPS, int OWN>
__global__ void __launch_bounds__(32 * WARPS)
exact_kernel(elem* __restrict__ output, const elem* __restrict__ input, const elem* __restrict__ weight,
             const elem* __restrict__ bias, float epsilon) {
  constexpr int CHUNK = 32 * VEC;
  constexpr int CHUNKS = WARPS * OWN;  // a power of two
  constexpr int L = VEC * CHUNKS;      // elements per lane, a power of two
  constexpr float INV_N = 1.0f / (32.0f * L);  // a power of two: exact
  const int lane_first = (threadIdx.x & 31) * VEC;
  const int own = WARPS > 1 ? static_cast<int>(threadIdx.x >> 5) * OWN : 0;  // first own chunk
  const int first = own * CHUNK + lane_first;

  // The warp's own chunks come first, so that they are in registers known at compile time.
  Raw<VEC> raw_x[CHUNKS], raw_w[OWN], raw_b[OWN];
#pragma unroll
  for (int j = 0; j < CHUNKS; ++j) {
    raw_x[j].load(input + (((own + j) & (CHUNKS - 1)) * CHUNK + lane_first));
  }
#pragma unroll
  for (int j = 0; j < OWN; ++j) raw_w[j].load(weight + (first + j * CHUNK));
#pragma unroll
  for (int j = 0; j < OWN; ++j) raw_b[j].load(bias + (first + j * CHUNK));
  // Has the output's address translated while the loads are under way; changes no memory.
  asm volatile("prefetch.global.L2 [%0];" : : "l"(output));

  float x[CHUNKS][VEC];
#pragma unroll
  for (int j = 0; j < CHUNKS; ++j) raw_x[j].unpack(x[j]);

  // Sum and sum of squared deviations of this lane's elements.
  float tree[L];
#pragma unroll
  for (int k = 0; k < L; ++k) tree[k] = x[k / VEC][k % VEC];
#pragma unroll
  for (int width = L / 2; width > 0; width /= 2) {
#pragma unroll
    for (int k = 0; k < width; ++k) tree[k] += tree[k + width];
  }
  float s = tree[0];

  constexpr int ACC = L < 4 ? L : 4;
  float acc[ACC];
  const float own_mean = s * (1.0f / L);
#pragma unroll
  for (int k = 0; k < L; ++k) {
    const float d = x[k / VEC][k % VEC] - own_mean;
    acc[k % ACC] = k < ACC ? d * d : fmaf(d, d, acc[k % ACC]);
  }
#pragma unroll
  for (int width = ACC / 2; width > 0; width /= 2) {
#pragma unroll
    for (int k = 0; k < width; ++k) acc[k] += acc[k + width];
  }
  float m2 = acc[0];

  // Pairwise merging; both sides of a level stand for equally many elements.
#pragma unroll
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    const float other_s = __shfl_xor_sync(0xffffffffu, s, lanes);
    const float other_m2 = __shfl_xor_sync(0xffffffffu, m2, lanes);
    const float c = 1.0f / (2.0f * L * lanes);
    const float d = s - other_s;
    m2 = fmaf(d * c, d, m2 + other_m2);
    s += other_s;
  }

  const float mean = s * INV_N;
  const float scale = rsqrtf(fmaf(m2, INV_N, epsilon));

#pragma unroll
  for (int j = 0; j < OWN; ++j) {
    float w[VEC], b[VEC], y[VEC];
    raw_w[j].unpack(w);
    raw_b[j].unpack(b);
#pragma unroll
    for (int k = 0; k < VEC; ++k) {
      y[k] = fmaf((x[j][k] - mean) * scale, w[k], b[k]);
    }
    store_vec(output + (first + j * CHUNK), y);
  }
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

extern "C" void layer_norm(float* output, const float* input, const float* weight, const float* bias, float epsilon, int N) {
  switch (N) {
    case 1024:
      exact_kernel<4, 4, 2><<<1, 128>>>(output, input, weight, bias, epsilon);
      return;
    case 512:
      exact_kernel<4, 4, 1><<<1, 128>>>(output, input, weight, bias, epsilon);
      return;
    case 256:
      exact_kernel<4, 1, 2><<<1, 32>>>(output, input, weight, bias, epsilon);
      return;
    case 128:
      exact_kernel<4, 1, 1><<<1, 32>>>(output, input, weight, bias, epsilon);
      return;
    case 64:
      exact_kernel<2, 1, 1><<<1, 32>>>(output, input, weight, bias, epsilon);
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
