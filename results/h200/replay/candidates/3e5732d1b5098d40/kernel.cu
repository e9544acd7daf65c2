// y[r] = sum over j in row_offsets[r]..row_offsets[r + 1]-1 of values[j] * x[col_indices[j]]
// Eight lanes compute a row. Each lane takes an aligned chunk of four entries with one vector load of columns and one of
// values, from the chunk that holds the row's first entry on; entries of neighbouring rows are left out.
#include <cuda_runtime.h>
#include <cuda_bf16.h>

namespace {

constexpr unsigned kLanes = 8;                       // lanes per row
constexpr unsigned kChunk = 4;                       // entries per lane and step
constexpr unsigned kStep = kLanes * kChunk;          // entries per step of a row
constexpr unsigned kGroups = 32 / kLanes;            // rows side by side in a warp
constexpr unsigned kFull = 0xffffffffu;

// A bf16 is the upper half of the FP32 number of the same value.
__device__ __forceinline__ unsigned load_bits(const __nv_bfloat16* p) {
  return __ldg(reinterpret_cast<const unsigned short*>(p));
}

__device__ __forceinline__ float load(const __nv_bfloat16* p) {
  return __uint_as_float(load_bits(p) << 16);
}

__device__ __forceinline__ float value0(const uint2& v) {
  return __uint_as_float(v.x << 16);
}

__device__ __forceinline__ float value1(const uint2& v) {
  return __uint_as_float(v.x & 0xffff0000u);
}

__device__ __forceinline__ float value2(const uint2& v) {
  return __uint_as_float(v.y << 16);
}

__device__ __forceinline__ float value3(const uint2& v) {
  return __uint_as_float(v.y & 0xffff0000u);
}

__device__ __forceinline__ void prefetch(const void* p) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(p)));
}

// Four columns and four values.
struct Chunk {
  int4 c;
  uint2 v;
};

// Loads those entries of a chunk at the end of the matrix that are in the row.
__device__ __forceinline__ void load_single(Chunk& q, const __nv_bfloat16* __restrict__ values, const int* __restrict__ col_indices,
                                            unsigned e, unsigned d, unsigned n) {
  if (d < n) {
    q.c.x = __ldg(col_indices + e);
    q.v.x |= load_bits(values + e);
  }
  if (d + 1u < n) {
    q.c.y = __ldg(col_indices + e + 1u);
    q.v.x |= load_bits(values + e + 1u) << 16;
  }
  if (d + 2u < n) {
    q.c.z = __ldg(col_indices + e + 2u);
    q.v.y |= load_bits(values + e + 2u);
  }
  if (d + 3u < n) {
    q.c.w = __ldg(col_indices + e + 3u);
    q.v.y |= load_bits(values + e + 3u) << 16;
  }
}

template <int R, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
spmv_csr_kernel(unsigned rows, const __nv_bfloat16* __restrict__ values, const int* __restrict__ col_indices,
                const int* __restrict__ row_offsets, const __nv_bfloat16* __restrict__ x, __nv_bfloat16* __restrict__ y) {
  const unsigned lane = threadIdx.x & 31u;
  const unsigned warp = threadIdx.x >> 5;
  const unsigned l = lane & (kLanes - 1u);
  const unsigned r0 = (blockIdx.x * (THREADS / 32u) + warp) * (kGroups * R);
  const unsigned row = r0 + lane / kLanes;  // and, for R == 2, row + kGroups

  unsigned first[R];
  unsigned last[R];
#pragma unroll
  for (int r = 0; r < R; ++r) {
    first[r] = static_cast<unsigned>(__ldg(row_offsets + min(row + kGroups * r, rows)));
    last[r] = static_cast<unsigned>(__ldg(row_offsets + min(row + kGroups * r + 1u, rows)));
  }
  const unsigned nnz = static_cast<unsigned>(__ldg(row_offsets + rows));
  if (threadIdx.x == 0u) {
    // The first elements always exist; this starts the translation of the buffers' addresses.
    prefetch(col_indices);
    prefetch(values);
    prefetch(x);
  }

  unsigned e[R];  // the chunk's first entry
  unsigned d[R];  // the same, counted from the row's first entry; wraps if it lies before it
  unsigned n[R];
  bool whole[R];
  bool single[R];
  Chunk q[R];
#pragma unroll
  for (int r = 0; r < R; ++r) {
    e[r] = (first[r] & ~(kChunk - 1u)) + kChunk * l;
    d[r] = e[r] - first[r];
    n[r] = last[r] - first[r];
    const bool wanted = e[r] < last[r];
    const bool fits = e[r] + kChunk <= nnz;
    whole[r] = wanted && fits;
    single[r] = wanted && !fits;
  }
#pragma unroll
  for (int r = 0; r < R; ++r) {
    q[r].c = make_int4(0, 0, 0, 0);
    if (whole[r]) {
      q[r].c = __ldg(reinterpret_cast<const int4*>(col_indices + e[r]));
    }
  }
#pragma unroll
  for (int r = 0; r < R; ++r) {
    q[r].v = make_uint2(0u, 0u);
    if (whole[r]) {
      q[r].v = __ldg(reinterpret_cast<const uint2*>(values + e[r]));
    }
  }
  bool any = single[0];
  if (R == 2) {
    any = any || single[R - 1];
  }
  if (any) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
      if (single[r]) {
        load_single(q[r], values, col_indices, e[r], d[r], n[r]);
      }
    }
  }

  float g[R][4];
#pragma unroll
  for (int r = 0; r < R; ++r) {
    g[r][0] = g[r][1] = g[r][2] = g[r][3] = 0.0f;
    if (d[r] < n[r]) {
      g[r][0] = load(x + q[r].c.x);
    }
    if (d[r] + 1u < n[r]) {
      g[r][1] = load(x + q[r].c.y);
    }
    if (d[r] + 2u < n[r]) {
      g[r][2] = load(x + q[r].c.z);
    }
    if (d[r] + 3u < n[r]) {
      g[r][3] = load(x + q[r].c.w);
    }
  }

  float sum[R];
#pragma unroll
  for (int r = 0; r < R; ++r) {
    float a0 = 0.0f;
    float a1 = 0.0f;
    float a2 = 0.0f;
    float a3 = 0.0f;
    if (d[r] < n[r]) {
      a0 = fmaf(value0(q[r].v), g[r][0], a0);
    }
    if (d[r] + 1u < n[r]) {
      a1 = fmaf(value1(q[r].v), g[r][1], a1);
    }
    if (d[r] + 2u < n[r]) {
      a2 = fmaf(value2(q[r].v), g[r][2], a2);
    }
    if (d[r] + 3u < n[r]) {
      a3 = fmaf(value3(q[r].v), g[r][3], a3);
    }

    // Longer rows
    if (last[r] > (first[r] & ~(kChunk - 1u)) + kStep) {
#pragma unroll 1
      for (unsigned f = e[r] + kStep; f < last[r]; f += kStep) {
        const unsigned df = f - first[r];
        Chunk t;
        t.c = make_int4(0, 0, 0, 0);
        t.v = make_uint2(0u, 0u);
        if (f + kChunk <= nnz) {
          t.c = __ldg(reinterpret_cast<const int4*>(col_indices + f));
          t.v = __ldg(reinterpret_cast<const uint2*>(values + f));
        } else {
          load_single(t, values, col_indices, f, df, n[r]);
        }
        float h0 = 0.0f;
        float h1 = 0.0f;
        float h2 = 0.0f;
        float h3 = 0.0f;
        if (df < n[r]) {
          h0 = load(x + t.c.x);
        }
        if (df + 1u < n[r]) {
          h1 = load(x + t.c.y);
        }
        if (df + 2u < n[r]) {
          h2 = load(x + t.c.z);
        }
        if (df + 3u < n[r]) {
          h3 = load(x + t.c.w);
        }
        if (df < n[r]) {
          a0 = fmaf(value0(t.v), h0, a0);
        }
        if (df + 1u < n[r]) {
          a1 = fmaf(value1(t.v), h1, a1);
        }
        if (df + 2u < n[r]) {
          a2 = fmaf(value2(t.v), h2, a2);
        }
        if (df + 3u < n[r]) {
          a3 = fmaf(value3(t.v), h3, a3);
        }
      }
    }
    sum[r] = (a0 + a1) + (a2 + a3);
  }
  __syncwarp();

  float s;
  unsigned out = row;
  bool store;
  if (R == 1) {
    s = sum[0] + __shfl_xor_sync(kFull, sum[0], 4);
    store = l == 0u;
  } else {
    // Lanes 0 to 3 of each eight go on with the first row, lanes 4 to 7 with the second.
    const bool high = (l & 4u) != 0u;
    const float keep = high ? sum[R - 1] : sum[0];
    const float give = high ? sum[0] : sum[R - 1];
    s = keep + __shfl_xor_sync(kFull, give, 4);
    out += high ? kGroups : 0u;
    store = (l & 3u) == 0u;
  }
  s += __shfl_xor_sync(kFull, s, 2);
  s += __shfl_xor_sync(kFull, s, 1);
  if (store && out < rows) {
    y[out] = __float2bfloat16(s);
  }
}

}  // namespace

extern "C" void spmv_csr_bf16(int rows, const __nv_bfloat16* values, const int* col_indices, const int* row_offsets, const __nv_bfloat16* x, __nv_bfloat16* y) {
  const unsigned n = static_cast<unsigned>(rows);
  if (n <= 8192u) {
    constexpr int kThreads = 128;
    constexpr unsigned kRows = kThreads / kLanes;
    spmv_csr_kernel<1, kThreads, 12><<<(n - 1u) / kRows + 1u, kThreads>>>(n, values, col_indices, row_offsets, x, y);
  } else {
    constexpr int kThreads = 256;
    constexpr unsigned kRows = 2u * kThreads / kLanes;
    spmv_csr_kernel<2, kThreads, 4><<<(n - 1u) / kRows + 1u, kThreads>>>(n, values, col_indices, row_offsets, x, y);
  }
}
