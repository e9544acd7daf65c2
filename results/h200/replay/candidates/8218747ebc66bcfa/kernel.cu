// Inclusive prefix sum with one launch: each block scans one tile in registers, publishes its total as a word
// {tag, total} in kCopies copies, and its first warp polls one copy of the words of all blocks before it (one hop).
// The tag is one more than an epoch in device memory that the last block advances once it has seen every word.
// Data and epoch come by asynchronous copies; until they arrive, the first warps rehearse the whole body without
// effects, so that its instructions have been fetched when the data are there.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

using Elem = __nv_bfloat16;
constexpr int kThreads = 512;
constexpr int kElems = 8;  // contiguous elements of a lane in one row: 16 bytes
constexpr int kRows = 1;   // rows of 32 * kElems elements of a warp
constexpr int kRow = 32 * kElems;
constexpr int kWarpElems = kRows * kRow;
constexpr int kWarps = kThreads / 32;
constexpr int kLastWarp = kWarps - 1;
constexpr int kTile = kWarps * kWarpElems;
constexpr int kSmallBlocks = 64;
constexpr int kLargeBlocks = 128;
constexpr int kCopies = 8;
constexpr int kRehearsing = 4;  // warps that rehearse: one for each scheduler
static_assert(kTile == 4096 && kElems * sizeof(Elem) == 16 && kWarps == 16, "tile");

using Raw = uint4;

__device__ __forceinline__ Raw load_raw(const Elem* p) {
  uint4 r;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "l"(p));
  return r;
}

__device__ __forceinline__ void unpack(const Raw& r, float (&a)[kElems]) {
  a[0] = __uint_as_float(r.x << 16);
  a[1] = __uint_as_float(r.x & 0xffff0000u);
  a[2] = __uint_as_float(r.y << 16);
  a[3] = __uint_as_float(r.y & 0xffff0000u);
  a[4] = __uint_as_float(r.z << 16);
  a[5] = __uint_as_float(r.z & 0xffff0000u);
  a[6] = __uint_as_float(r.w << 16);
  a[7] = __uint_as_float(r.w & 0xffff0000u);
}

__device__ __forceinline__ unsigned int pack2(float lo, float hi) {
  const unsigned int l = __bfloat16_as_ushort(__float2bfloat16_rn(lo));
  const unsigned int h = __bfloat16_as_ushort(__float2bfloat16_rn(hi));
  return l | (h << 16);
}

__device__ __forceinline__ void store_full(Elem* p, const float (&a)[kElems]) {
  *reinterpret_cast<uint4*>(p) =
      make_uint4(pack2(a[0], a[1]), pack2(a[2], a[3]), pack2(a[4], a[5]), pack2(a[6], a[7]));
}

__device__ __forceinline__ float to_float(Elem x) { return __bfloat162float(x); }
__device__ __forceinline__ Elem from_float(float x) { return __float2bfloat16_rn(x); }

__device__ __forceinline__ void load_tail(const Elem* input, long long base, int N, float (&a)[kElems]) {
#pragma unroll
  for (int k = 0; k < kElems; ++k) {
    a[k] = base + k < N ? to_float(input[base + k]) : 0.0f;
  }
}

__device__ __forceinline__ void store_tail(Elem* output, long long base, int N, const float (&a)[kElems]) {
#pragma unroll
  for (int k = 0; k < kElems; ++k) {
    if (base + k < N) {
      output[base + k] = from_float(a[k]);
    }
  }
}

__device__ __align__(128) unsigned long long g_words[kCopies][kLargeBlocks];
__device__ __align__(128) unsigned int g_epoch[32];

__device__ __forceinline__ void load_pair(const unsigned long long* p, unsigned long long& lo,
                                          unsigned long long& hi) {
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(lo), "=l"(hi) : "l"(p) : "memory");
}

__device__ __forceinline__ void store_word(unsigned long long* p, unsigned long long w) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(w) : "memory");
}

__device__ __forceinline__ unsigned int load_epoch() {
  unsigned int e;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(e) : "l"(&g_epoch[0]));
  return e;
}

__device__ __forceinline__ void store_epoch(unsigned int e) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(&g_epoch[0]), "r"(e) : "memory");
}

// Asynchronous copy of 16 bytes to shared memory; what lies beyond the first `bytes` of them becomes zero.
__device__ __forceinline__ void copy_async(void* dst, const void* src, int bytes) {
  const unsigned int d = static_cast<unsigned int>(__cvta_generic_to_shared(dst));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(d), "l"(src), "r"(bytes) : "memory");
}

__device__ __forceinline__ void copy_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

__device__ __forceinline__ void prefetch_l2(const void* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }

__device__ __forceinline__ unsigned long long pack_word(unsigned int tag, float value) {
  return (static_cast<unsigned long long>(tag) << 32) | __float_as_uint(value);
}

__device__ __forceinline__ unsigned int tag_of(unsigned long long w) { return static_cast<unsigned int>(w >> 32); }
__device__ __forceinline__ float value_of(unsigned long long w) {
  return __uint_as_float(static_cast<unsigned int>(w));
}

// Inclusive sums of the lane's elements of one row, in place.
__device__ __forceinline__ void thread_scan(float (&a)[kElems]) {
#pragma unroll
  for (int g = 0; g < kElems; g += 4) {
    const float ab = a[g] + a[g + 1];
    const float cd = a[g + 2] + a[g + 3];
    a[g + 2] = ab + a[g + 2];
    a[g + 3] = ab + cd;
    a[g + 1] = ab;
  }
#pragma unroll
  for (int g = 4; g < kElems; g += 4) {
    const float before = a[g - 1];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      a[g + k] = before + a[g + k];
    }
  }
}

// Independent inclusive scans of the rows over the lanes of a warp.
__device__ __forceinline__ void warp_scan(float (&x)[kRows], int lane) {
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    float y[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      y[r] = __shfl_up_sync(0xffffffffu, x[r], d);
    }
    if (lane >= d) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        x[r] = y[r] + x[r];
      }
    }
  }
}

// Sum of the rows' totals (valid in lane 31).
__device__ __forceinline__ float rows_total(const float (&x)[kRows]) {
  float s = x[0];
#pragma unroll
  for (int r = 1; r < kRows; ++r) {
    s = s + x[r];
  }
  return s;
}

// Sum of what comes before the lane's elements in its warp, for each row.
__device__ __forceinline__ void row_before(const float (&x)[kRows], int lane, float (&before)[kRows]) {
  float rows = 0.0f;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const float up = __shfl_up_sync(0xffffffffu, x[r], 1);
    before[r] = lane == 0 ? 0.0f : up;
    if (r > 0) {
      before[r] = rows + before[r];
    }
    if (r + 1 < kRows) {
      rows = rows + __shfl_sync(0xffffffffu, x[r], 31);
    }
  }
}

// Sum over the lanes of a warp, in every lane.
__device__ __forceinline__ float warp_sum(float p) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) {
    p += __shfl_xor_sync(0xffffffffu, p, d);
  }
  return p;
}

// Sum of kWarps values as a tree (overwrites them).
__device__ __forceinline__ float tree_sum(float (&t)[kWarps]) {
#pragma unroll
  for (int d = 1; d < kWarps; d <<= 1) {
#pragma unroll
    for (int i = 0; i + d < kWarps; i += 2 * d) {
      t[i] = t[i] + t[i + d];
    }
  }
  return t[0];
}

__device__ __forceinline__ void read_totals(const float* s_tot, float (&t)[kWarps]) {
#pragma unroll
  for (int i = 0; i < kWarps; i += 4) {
    const float4 q = *reinterpret_cast<const float4*>(s_tot + i);
    t[i] = q.x;
    t[i + 1] = q.y;
    t[i + 2] = q.z;
    t[i + 3] = q.w;
  }
}

// One tile per block, at most kSmallBlocks blocks, all resident.
template <bool kSingle>
__global__ void __launch_bounds__(kThreads)
    scan_small(Elem* __restrict__ output, const Elem* __restrict__ input, int N) {
  __shared__ __align__(16) Elem s_data[kRows * kThreads * kElems];
  __shared__ __align__(16) unsigned int s_epoch[4];
  __shared__ __align__(16) float s_tot[kWarps];
  __shared__ float s_pre;
  const int tid = threadIdx.x;
  const int lane = tid & 31;
  const int warp = tid >> 5;
  const int mine = static_cast<int>(blockIdx.x);
  const int base0 = mine * kTile + warp * kWarpElems + lane * kElems;

  if (!kSingle && tid == kLastWarp * 32) {
    copy_async(s_epoch, g_epoch, 16);
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int base = base0 + r * kRow;
    int count = N - base;
    count = count < 0 ? 0 : (count > kElems ? kElems : count);
    copy_async(s_data + (r * kThreads + tid) * kElems, count > 0 ? input + base : input,
               count * static_cast<int>(sizeof(Elem)));
  }
  const unsigned long long* words = g_words[mine & (kCopies - 1)] + 2 * lane;  // the lane's two words
  const bool need_lo = 2 * lane < mine;
  const bool need_hi = 2 * lane + 1 < mine;
  if (!kSingle && warp == 0 && need_lo) {
    prefetch_l2(words);
  }
  if (tid == 32) {
    prefetch_l2(output + mine * kTile);
  }

  int left = warp < kRehearsing ? 1 : 0;  // rehearsals left
#pragma unroll 1
  for (;;) {
    asm volatile("" : "+r"(left));
    const bool live = left == 0;
    if (live) {
      copy_wait();
    }
    float a[kRows][kElems];
    float x[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      unpack(*reinterpret_cast<const Raw*>(s_data + (r * kThreads + tid) * kElems), a[r]);
      thread_scan(a[r]);
      x[r] = a[r][kElems - 1];
    }
    warp_scan(x, lane);
    if (live) {
      if (lane == 31) {
        s_tot[warp] = rows_total(x);
      }
      __syncthreads();
    }

    unsigned int tag = 0;
    if (!kSingle) {
      tag = s_epoch[0] + 1u;
      if (warp == kLastWarp || !live) {
        float u[kWarps];
        read_totals(s_tot, u);
        const float total = tree_sum(u);
        if (live && lane < kCopies) {
          store_word(&g_words[lane][mine], pack_word(tag, total));
        }
        __syncwarp();
      }
    }
    float before[kRows];
    row_before(x, lane, before);
    float p = 0.0f;
    if (lane < warp) {
      p = s_tot[lane];
    }
    if (!kSingle && (warp == 0 || !live)) {
      unsigned long long lo = 0;
      unsigned long long hi = 0;
      bool missing = live && need_lo;
      while (missing) {
        load_pair(words, lo, hi);
        missing = tag_of(lo) != tag || (need_hi && tag_of(hi) != tag);
      }
      __syncwarp();
      p += (need_lo ? value_of(lo) : 0.0f) + (need_hi ? value_of(hi) : 0.0f);
    }
    p = warp_sum(p);  // warp 0: what comes before the block; others: what comes before the warp in the block
    float offset = p;
    if (!kSingle) {
      if (live) {
        if (tid == 0) {
          s_pre = p;
        }
        __syncthreads();
        if (tid == 0 && mine == static_cast<int>(gridDim.x) - 1) {
          store_epoch(tag);  // every block's word was seen, so every block has read the old epoch
        }
      }
      offset = s_pre + (warp == 0 ? 0.0f : p);
    }

    const int end = live ? N : 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int base = base0 + r * kRow;
      const float off = offset + before[r];
#pragma unroll
      for (int k = 0; k < kElems; ++k) {
        a[r][k] = off + a[r][k];
      }
      if (base + kElems <= end) {
        store_full(output + base, a[r]);
      } else if (base < end) {
        Elem* own = s_data + (r * kThreads + tid) * kElems;
        store_full(own, a[r]);
        asm volatile("" ::: "memory");
#pragma unroll 1
        for (int k = 0; base + k < end; ++k) {
          output[base + k] = own[k];
        }
      }
    }
    if (live) {
      break;
    }
    left -= 1;
  }
}

// First poll of the words of the blocks before this one (warp 0); also draws the lines into L2.
template <int kPairs>
__device__ __forceinline__ void first_poll(const unsigned long long* words, int lane, unsigned long long (&lo)[kPairs],
                                           unsigned long long (&hi)[kPairs]) {
#pragma unroll
  for (int j = 0; j < kPairs; ++j) {
    const int block = 2 * (lane + 32 * j);
    if (block < static_cast<int>(blockIdx.x)) {
      load_pair(words + block, lo[j], hi[j]);
    }
  }
}

// Warp 0: waits for the words of the blocks before this one; returns their sum.
template <int kPairs>
__device__ __forceinline__ float gather_words(const unsigned long long* words, unsigned int tag, int lane,
                                              unsigned long long (&lo)[kPairs], unsigned long long (&hi)[kPairs]) {
  const int mine = static_cast<int>(blockIdx.x);
  float p = 0.0f;
#pragma unroll
  for (int j = 0; j < kPairs; ++j) {
    const int block = 2 * (lane + 32 * j);
    const bool need_lo = block < mine;
    const bool need_hi = block + 1 < mine;
    while ((need_lo && tag_of(lo[j]) != tag) || (need_hi && tag_of(hi[j]) != tag)) {
      load_pair(words + block, lo[j], hi[j]);
    }
    p += (need_lo ? value_of(lo[j]) : 0.0f) + (need_hi ? value_of(hi[j]) : 0.0f);
  }
  __syncwarp();
  return warp_sum(p);
}

__device__ __forceinline__ void load_any(const Elem* input, long long base, int N, float (&a)[kElems]) {
  if (base + kElems <= N) {
    unpack(load_raw(input + base), a);
  } else {
    load_tail(input, base, N, a);
  }
}

__device__ __forceinline__ void store_any(Elem* output, long long base, int N, const float (&a)[kElems]) {
  if (base + kElems <= N) {
    store_full(output + base, a);
  } else {
    store_tail(output, base, N, a);
  }
}

// Sum of the lane's elements of one row as a tree (overwrites them).
__device__ __forceinline__ float thread_sum(float (&a)[kElems]) {
#pragma unroll
  for (int d = 1; d < kElems; d <<= 1) {
#pragma unroll
    for (int i = 0; i + d < kElems; i += 2 * d) {
      a[i] = a[i] + a[i + d];
    }
  }
  return a[0];
}

// Sum of the totals of the warps before this one.
__device__ __forceinline__ float warp_prefix(const float (&t)[kWarps], int warp) {
  float p[kWarps];
#pragma unroll
  for (int i = 0; i < kWarps; ++i) {
    p[i] = i < warp ? t[i] : 0.0f;
  }
  return tree_sum(p);
}

// kLargeBlocks blocks, each with a contiguous run of tiles.
__global__ void __launch_bounds__(kThreads)
    scan_large(Elem* __restrict__ output, const Elem* __restrict__ input, int N) {
  __shared__ __align__(16) float s_tot[kWarps];
  __shared__ float s_pre;
  __shared__ double s_sum[kWarps];
  __shared__ unsigned int s_tag;
  const int tid = threadIdx.x;
  const int lane = tid & 31;
  const int warp = tid >> 5;
  const int own = warp * kWarpElems + lane * kElems;
  const int tiles = (N - 1) / kTile + 1;
  const int run = (tiles + kLargeBlocks - 1) / kLargeBlocks;
  const int first = static_cast<int>(blockIdx.x) * run;
  const int end = first + run < tiles ? first + run : tiles;

  const unsigned long long* words = g_words[blockIdx.x & (kCopies - 1)];
  unsigned int tag = 0;
  unsigned long long lo[2] = {0, 0};
  unsigned long long hi[2] = {0, 0};
  if (warp == kLastWarp) {
    tag = load_epoch() + 1u;
  }
  if (warp == 0) {
    first_poll<2>(words, lane, lo, hi);
  }

  double sum = 0.0;
#pragma unroll 4
  for (int tile = first; tile < end; ++tile) {
    const long long base = static_cast<long long>(tile) * kTile + own;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      float a[kElems];
      load_any(input, base + r * kRow, N, a);
      sum += static_cast<double>(thread_sum(a));
    }
  }
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) {
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
  }
  if (lane == 0) {
    s_sum[warp] = sum;
  }
  if (tid == kLastWarp * 32) {
    s_tag = tag;
  }
  __syncthreads();
  if (warp == kLastWarp) {
    double total = 0.0;
#pragma unroll
    for (int i = 0; i < kWarps; ++i) {
      total += s_sum[i];
    }
    if (lane < kCopies) {
      store_word(&g_words[lane][blockIdx.x], pack_word(tag, static_cast<float>(total)));
    }
    __syncwarp();
  }
  if (warp == 0) {
    const float p = gather_words<2>(words, s_tag, lane, lo, hi);
    if (lane == 0) {
      s_pre = p;
    }
  }
  __syncthreads();
  if (tid == 0 && blockIdx.x == gridDim.x - 1) {
    store_epoch(s_tag);
  }
  double carry = static_cast<double>(s_pre);

  for (int tile = first; tile < end; ++tile) {
    const long long base = static_cast<long long>(tile) * kTile + own;
    float a[kRows][kElems];
    float x[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      load_any(input, base + r * kRow, N, a[r]);
      thread_scan(a[r]);
      x[r] = a[r][kElems - 1];
    }
    warp_scan(x, lane);
    if (lane == 31) {
      s_tot[warp] = rows_total(x);
    }
    float before[kRows];
    row_before(x, lane, before);
    __syncthreads();
    float t[kWarps];
    read_totals(s_tot, t);
    const float prefix = warp_prefix(t, warp);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float offset = static_cast<float>(carry + static_cast<double>(prefix + before[r]));
#pragma unroll
      for (int k = 0; k < kElems; ++k) {
        a[r][k] = offset + a[r][k];
      }
      store_any(output, base + r * kRow, N, a[r]);
    }
    carry += static_cast<double>(tree_sum(t));
    __syncthreads();
  }
}

}  // namespace

extern "C" void prefix_sum_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, int N) {
  const int blocks = (N - 1) / kTile + 1;
  if (blocks == 1) {
    scan_small<true><<<1, kThreads>>>(output, input, N);
  } else if (blocks <= kSmallBlocks) {
    scan_small<false><<<blocks, kThreads>>>(output, input, N);
  } else {
    scan_large<<<kLargeBlocks, kThreads>>>(output, input, N);
  }
}
