// In-place ascending sort, both precisions. Keys are sorted as unsigned integers of the same order.
// Up to 4096 keys: one block, bitonic network over registers, lanes and (between warps) shared memory.
// More: tiles of 2048 the same way, then every key finds its place among several sorted runs at once by binary search:
// one further launch merges up to 32 tiles; longer arrays take several, eight runs at a time.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

constexpr int kHeld = 8;         // keys per thread of the network
constexpr int kTile = 2048;      // keys per tile where there are several
constexpr int kMostAlone = 4096;  // keys that one block sorts
constexpr int kMostTiles = 32;    // tiles that one launch merges
constexpr int kMergedRuns = 8;    // runs that one launch merges where there are more
constexpr int kRankThreads = 256;
constexpr int kSearches = 4;     // binary searches that a thread interleaves

// Unsigned keys in the order of the floats; bijective, so that both zeros survive.
struct Fp32 {
  using T = float;
  static constexpr bool kPadded = false;
  static __device__ __forceinline__ unsigned key(float value) {
    const unsigned bits = __float_as_uint(value);
    return bits ^ ((bits >> 31) != 0u ? 0xffffffffu : 0x80000000u);
  }
  static __device__ __forceinline__ float value(unsigned key) {
    return __uint_as_float(key ^ ((key >> 31) != 0u ? 0x80000000u : 0xffffffffu));
  }
};

struct Bf16 {
  using T = __nv_bfloat16;
  static constexpr bool kPadded = false;
  static __device__ __forceinline__ unsigned key(__nv_bfloat16 value) {
    const unsigned bits = __bfloat16_as_ushort(value);
    return bits ^ ((bits >> 15) != 0u ? 0xffffu : 0x8000u);
  }
  static __device__ __forceinline__ __nv_bfloat16 value(unsigned key) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(key ^ ((key >> 15) != 0u ? 0x8000u : 0xffffu)));
  }
};

// Keys between launches stay as they are.
struct Plain {
  using T = unsigned;
  static constexpr bool kPadded = true;
  static __device__ __forceinline__ unsigned value(unsigned key) { return key; }
};

// A kernel that another one waits for calls let_next_start() once, early; the one that waits calls wait_for_previous()
// before it reads what the first one wrote (through pointers that the compiler must not take for constant memory).
__device__ __forceinline__ void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ __forceinline__ void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

__device__ __forceinline__ void order(unsigned& low, unsigned& high) {
  const unsigned smaller = min(low, high);
  high = max(low, high);
  low = smaller;
}

// Eight keys in registers (odd-even merge network).
__device__ __forceinline__ void sort_held(unsigned (&v)[kHeld]) {
#pragma unroll
  for (int p = 1; p < kHeld; p *= 2) {
#pragma unroll
    for (int k = p; k >= 1; k /= 2) {
#pragma unroll
      for (int i = 0; i + k < kHeld; ++i) {
        const bool paired = i >= k % p && (i - k % p) / k % 2 == 0 && i / (2 * p) == (i + k) / (2 * p);
        if (paired) order(v[i], v[i + k]);
      }
    }
  }
}

// Sorts kThreads * 8 keys, thread t ending with those at 8 t .. 8 t + 7. Every step compares in ascending order:
// threads of a descending part hold complemented keys.
template <int kThreads>
__device__ __forceinline__ void sort_block(unsigned (&v)[kHeld], unsigned* shared) {
  const int t = threadIdx.x;
  unsigned flip = (t & 1) != 0 ? 0xffffffffu : 0u;
#pragma unroll
  for (int r = 0; r < kHeld; ++r) v[r] ^= flip;
  sort_held(v);
#pragma unroll 1
  for (int size = 2; size <= kThreads; size *= 2) {  // in threads
    const unsigned next_flip = (t & size) != 0 ? 0xffffffffu : 0u;
#pragma unroll
    for (int r = 0; r < kHeld; ++r) v[r] ^= flip ^ next_flip;
    flip = next_flip;
    int stride = size / 2;
#pragma unroll 1
    for (; stride >= 32; stride /= 2) {
      __syncthreads();  // the exchange before has been read
#pragma unroll
      for (int r = 0; r < kHeld; ++r) shared[r * kThreads + t] = v[r];
      __syncthreads();
      const bool low = (t & stride) == 0;
#pragma unroll
      for (int r = 0; r < kHeld; ++r) {
        const unsigned other = shared[r * kThreads + (t ^ stride)];
        v[r] = low ? min(v[r], other) : max(v[r], other);
      }
    }
#pragma unroll 1
    for (; stride >= 1; stride /= 2) {
      const bool low = (t & stride) == 0;
#pragma unroll
      for (int r = 0; r < kHeld; ++r) {
        const unsigned other = __shfl_xor_sync(0xffffffffu, v[r], stride);
        v[r] = low ? min(v[r], other) : max(v[r], other);
      }
    }
#pragma unroll
    for (int step = kHeld / 2; step >= 1; step /= 2) {
#pragma unroll
      for (int r = 0; r < kHeld; ++r) {
        if ((r & step) == 0) order(v[r], v[r + step]);
      }
    }
  }
}

// Each block sorts the tile of kThreads * 8 keys that starts at blockIdx.x times that. `from` and `to` may be the same.
// Where To is padded, the last tile is filled up with keys above all others.
template <typename From, typename To, int kThreads>
__global__ void __launch_bounds__(kThreads)
    sort_tile_kernel(const typename From::T* from, typename To::T* to, int N) {
  __shared__ unsigned shared[kThreads > 32 ? kThreads * kHeld : 1];
  let_next_start();
  const int base = blockIdx.x * (kThreads * kHeld);
  unsigned v[kHeld];
#pragma unroll
  for (int r = 0; r < kHeld; ++r) {
    const int i = base + r * kThreads + static_cast<int>(threadIdx.x);
    v[r] = i < N ? From::key(from[i]) : 0xffffffffu;
  }
  sort_block<kThreads>(v, shared);
  const int first = base + static_cast<int>(threadIdx.x) * kHeld;
#pragma unroll
  for (int r = 0; r < kHeld; ++r) {
    if (To::kPadded || first + r < N) to[first + r] = To::value(v[r]);
  }
}

// `from` holds `tiles` sorted and padded tiles, which become the one sorted array `to` of N keys: a key's place is its
// index in its own tile plus, for every other tile, the number of keys before it there; equal keys keep the order of
// their tiles. A block's keys all belong to one tile.
template <typename To>
__global__ void __launch_bounds__(kRankThreads, 4)
    merge_tiles_kernel(const unsigned* from, typename To::T* to, int N, int tiles) {
  wait_for_previous();
  const unsigned i = blockIdx.x * kRankThreads + threadIdx.x;
  const int tile = blockIdx.x / (kTile / kRankThreads);
  const unsigned key = from[i];
  unsigned place = i % kTile;
  for (int t = 0; t < tiles - 1; t += kSearches) {
    unsigned start[kSearches], found[kSearches], bound[kSearches];
#pragma unroll
    for (int s = 0; s < kSearches; ++s) {
      const int other = t + s + (t + s >= tile ? 1 : 0);
      const bool searched = other < tiles;
      start[s] = (searched ? other : 0) * kTile;
      bound[s] = searched ? (other < tile ? key + 1u : key) : 0u;  // keys are below 2^32 - 1, as there is no NaN
      found[s] = start[s];
    }
#pragma unroll
    for (int step = kTile / 2; step >= 1; step /= 2) {
      unsigned probe[kSearches];
#pragma unroll
      for (int s = 0; s < kSearches; ++s) probe[s] = from[found[s] + (step - 1)];
#pragma unroll
      for (int s = 0; s < kSearches; ++s) found[s] += probe[s] < bound[s] ? step : 0;
    }
    unsigned probe[kSearches];
#pragma unroll
    for (int s = 0; s < kSearches; ++s) probe[s] = from[found[s]];
#pragma unroll
    for (int s = 0; s < kSearches; ++s) place += found[s] - start[s] + (probe[s] < bound[s] ? 1u : 0u);
  }
  if (i < static_cast<unsigned>(N)) to[place] = To::value(key);
}

// The same for sorted runs of `length` keys (a power of two; the last may be shorter), not padded: groups of
// kMergedRuns neighbouring runs become one.
template <typename To>
__global__ void __launch_bounds__(kRankThreads, 4)
    merge_runs_kernel(const unsigned* __restrict__ from, typename To::T* __restrict__ to, int N, int length) {
  const int i = blockIdx.x * kRankThreads + threadIdx.x;
  if (i >= N) return;
  const unsigned key = __ldg(from + i);
  const int run = i / length;
  const int first_run = run / kMergedRuns * kMergedRuns;
  const int all_runs = (N - 1) / length + 1;
  const int end_run = min(first_run + kMergedRuns, all_runs);

  int place = first_run * length + i % length;
  for (int r = first_run; r < end_run; r += kSearches) {
    int found[kSearches], count[kSearches];
    unsigned bound[kSearches];
    int start[kSearches];
#pragma unroll
    for (int s = 0; s < kSearches; ++s) {
      const int other = r + s;
      const bool searched = other < end_run && other != run;
      start[s] = (searched ? other : run) * length;
      count[s] = searched ? min(length, N - start[s]) : 0;
      bound[s] = other < run ? key + 1u : key;  // keys are below 2^32 - 1, as there is no NaN
      found[s] = 0;
    }
    for (int step = length; step >= 1; step /= 2) {
      // Clamped rather than predicated, so that the loads of all searches are issued together.
      unsigned probe[kSearches];
#pragma unroll
      for (int s = 0; s < kSearches; ++s) {
        probe[s] = __ldg(from + static_cast<unsigned>(start[s] + max(min(found[s] + step, count[s]) - 1, 0)));
      }
#pragma unroll
      for (int s = 0; s < kSearches; ++s) {
        const int at = found[s] + step;
        found[s] = at <= count[s] && probe[s] < bound[s] ? at : found[s];
      }
    }
#pragma unroll
    for (int s = 0; s < kSearches; ++s) place += found[s];
  }
  to[place] = To::value(key);
}

bool hopper_or_later() {
  static const bool value = [] {
    int device = 0, major = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    return major >= 9;
  }();
  return value;
}

// Starts a kernel that begins with wait_for_previous(): its blocks may be set up while the one before still runs.
template <typename... Parameters, typename... Arguments>
void launch_dependent(void (*kernel)(Parameters...), int grid, int block, size_t shared, Arguments... arguments) {
  const bool overlapped = hopper_or_later();
  static_cast<void>(overlapped);
#if !defined(__CUDA_ARCH__)
  if (overlapped) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid);
    config.blockDim = dim3(block);
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
    return;
  }
#endif
  kernel<<<grid, block, shared>>>(arguments...);
}

// Kept between calls; grows with the sizes asked for.
unsigned* keys_workspace(size_t keys) {
  static void* memory = nullptr;
  static size_t capacity = 0;
  if (keys > capacity) {
    cudaFree(memory);
    memory = nullptr;
    capacity = cudaMalloc(&memory, keys * sizeof(unsigned)) == cudaSuccess ? keys : 0;
  }
  return static_cast<unsigned*>(memory);
}

template <typename P, int kThreads>
void sort_alone(typename P::T* data, int N) {
  sort_tile_kernel<P, P, kThreads><<<1, kThreads>>>(data, data, N);
}

template <typename P>
void run(typename P::T* data, int N) {
  if (N <= 1) return;
  if (N <= 256) {
    sort_alone<P, 32>(data, N);
  } else if (N <= 512) {
    sort_alone<P, 64>(data, N);
  } else if (N <= 1024) {
    sort_alone<P, 128>(data, N);
  } else if (N <= 2048) {
    sort_alone<P, 256>(data, N);
  } else if (N <= kMostAlone) {
    sort_alone<P, 512>(data, N);
  } else {
    const int tiles = (N - 1) / kTile + 1;
    const size_t padded = static_cast<size_t>(tiles) * kTile;
    unsigned* from = keys_workspace(tiles <= kMostTiles ? padded : 2 * padded);
    if (from == nullptr) return;
    sort_tile_kernel<P, Plain, kTile / kHeld><<<tiles, kTile / kHeld>>>(data, from, N);
    if (tiles <= kMostTiles) {
      launch_dependent(merge_tiles_kernel<P>, tiles * (kTile / kRankThreads), kRankThreads, 0, from, data, N, tiles);
      return;
    }
    unsigned* to = from + padded;
    const int blocks = (N - 1) / kRankThreads + 1;
    long long length = kTile;
    while (length * kMergedRuns < N) {
      merge_runs_kernel<Plain><<<blocks, kRankThreads>>>(from, to, N, static_cast<int>(length));
      length *= kMergedRuns;
      unsigned* const swap = from;
      from = to;
      to = swap;
    }
    merge_runs_kernel<P><<<blocks, kRankThreads>>>(from, data, N, static_cast<int>(length));
  }
}

}  // namespace

extern "C" void sorting_optimized(float* data, int N) { run<Fp32>(data, N); }

extern "C" void sorting_bf16_optimized(__nv_bfloat16* data, int N) { run<Bf16>(data, N); }
