// y[m] = sum over n of A[m][n] * x[n], A row-major (FP32), sums in FP32.
// One launch per call. Aligned long rows: one block per ROWS rows, 16-byte streaming loads of A, each x vector used for
// all ROWS rows. Aligned short rows: one warp per row. Unaligned rows: coalesced element loads.
#include <cuda_runtime.h>
#include <cstddef>

namespace {

constexpr int kVec = 4;         // elements in 16 bytes
constexpr int kThreads = 256;   // block of the long-row kernels
constexpr int kWarps = kThreads / 32;
constexpr int kSmallWarps = 4;  // rows per block of the short-row kernels
constexpr int kLong = 2048;     // rows of at least this many elements get a block

using elem = float;

__device__ __forceinline__ uint4 load_stream(const uint4* p) {
  uint4 v;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
  return v;
}

__device__ __forceinline__ float to_float(float v) { return v; }
__device__ __forceinline__ float to_elem(float v) { return v; }

// sum[r] += dot(a[r], b) over the elements of one vector
template <int ROWS>
__device__ __forceinline__ void dot_rows(const uint4 (&a)[ROWS], const uint4& b, float (&sum)[ROWS]) {
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    sum[r] = fmaf(__uint_as_float(a[r].x), __uint_as_float(b.x), sum[r]);
    sum[r] = fmaf(__uint_as_float(a[r].y), __uint_as_float(b.y), sum[r]);
    sum[r] = fmaf(__uint_as_float(a[r].z), __uint_as_float(b.z), sum[r]);
    sum[r] = fmaf(__uint_as_float(a[r].w), __uint_as_float(b.w), sum[r]);
  }
}

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) {
    v += __shfl_xor_sync(0xffffffffu, v, o);
  }
  return v;
}

// Adds the ROWS sums of all threads of the block and stores them to y[first ...].
template <int ROWS>
__device__ __forceinline__ void block_store(float (&sum)[ROWS], elem* y, int first, int M) {
  __shared__ float part[kWarps * ROWS];
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    sum[r] = warp_sum(sum[r]);
  }
  if (lane == 0) {
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      part[warp * ROWS + r] = sum[r];
    }
  }
  __syncthreads();
  if (warp == 0) {
    float v = lane < kWarps * ROWS ? part[lane] : 0.0f;
#pragma unroll
    for (int o = ROWS; o < kWarps * ROWS; o <<= 1) {
      v += __shfl_xor_sync(0xffffffffu, v, o);
    }
    if (lane < ROWS && lane < M - first) {
      y[first + lane] = to_elem(v);
    }
  }
}

// Rows whose length is a multiple of kVec: one block for ROWS rows.
template <int ROWS>
__global__ void __launch_bounds__(kThreads, 4) mv_long(const elem* __restrict__ A, const elem* __restrict__ x, elem* __restrict__ y, int M, int N) {
  const int first = static_cast<int>(blockIdx.x) * ROWS;
  const int nv = N / kVec;
  const uint4* row[ROWS];
  float sum[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int m = r < M - first ? first + r : M - 1;
    row[r] = reinterpret_cast<const uint4*>(A) + static_cast<size_t>(m) * nv;
    sum[r] = 0.0f;
  }
  const uint4* xv = reinterpret_cast<const uint4*>(x);
  int v = threadIdx.x;
#pragma unroll 1
  for (; v + kThreads < nv; v += 2 * kThreads) {
    uint4 a[ROWS], b[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      a[r] = load_stream(row[r] + v);
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      b[r] = load_stream(row[r] + v + kThreads);
    }
    const uint4 xa = __ldg(xv + v);
    const uint4 xb = __ldg(xv + v + kThreads);
    dot_rows<ROWS>(a, xa, sum);
    dot_rows<ROWS>(b, xb, sum);
  }
  if (v < nv) {
    uint4 a[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      a[r] = load_stream(row[r] + v);
    }
    dot_rows<ROWS>(a, __ldg(xv + v), sum);
  }
  block_store<ROWS>(sum, y, first, M);
}

// Short rows whose length is a multiple of kVec: one warp per row.
__global__ void __launch_bounds__(kSmallWarps * 32) mv_short(const elem* __restrict__ A, const elem* __restrict__ x, elem* __restrict__ y, int M, int N) {
  const unsigned m = blockIdx.x * kSmallWarps + (threadIdx.x >> 5);
  if (m >= static_cast<unsigned>(M)) {
    return;
  }
  const int lane = threadIdx.x & 31;
  const int nv = N / kVec;
  const uint4* row = reinterpret_cast<const uint4*>(A) + static_cast<size_t>(m) * nv;
  const uint4* xv = reinterpret_cast<const uint4*>(x);
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 1
  for (int v = lane; v < nv; v += 128) {
    uint4 a[4], b[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      a[u] = make_uint4(0u, 0u, 0u, 0u);
      b[u] = make_uint4(0u, 0u, 0u, 0u);
      if (v + 32 * u < nv) {
        a[u] = load_stream(row + v + 32 * u);
        b[u] = __ldg(xv + v + 32 * u);
      }
    }
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      uint4 one[1] = {a[u]};
      float s[1] = {sum[u]};
      dot_rows<1>(one, b[u], s);
      sum[u] = s[0];
    }
  }
  const float total = warp_sum((sum[0] + sum[1]) + (sum[2] + sum[3]));
  if (lane == 0) {
    y[m] = to_elem(total);
  }
}

// The sum of elements start, start + STEP, ... of a row of any alignment.
template <unsigned STEP>
__device__ __forceinline__ float dot_any(const elem* __restrict__ row, const elem* __restrict__ x, unsigned start, unsigned n) {
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  unsigned i = start;
  for (; i + 3 * STEP < n; i += 4 * STEP) {
    const elem a0 = row[i], a1 = row[i + STEP], a2 = row[i + 2 * STEP], a3 = row[i + 3 * STEP];
    const elem x0 = x[i], x1 = x[i + STEP], x2 = x[i + 2 * STEP], x3 = x[i + 3 * STEP];
    s0 = fmaf(to_float(a0), to_float(x0), s0);
    s1 = fmaf(to_float(a1), to_float(x1), s1);
    s2 = fmaf(to_float(a2), to_float(x2), s2);
    s3 = fmaf(to_float(a3), to_float(x3), s3);
  }
  for (; i < n; i += STEP) {
    s0 = fmaf(to_float(row[i]), to_float(x[i]), s0);
  }
  return (s0 + s1) + (s2 + s3);
}

__global__ void __launch_bounds__(kThreads) mv_any_long(const elem* __restrict__ A, const elem* __restrict__ x, elem* __restrict__ y, int M, int N) {
  const int m = static_cast<int>(blockIdx.x);
  float sum[1];
  sum[0] = dot_any<kThreads>(A + static_cast<size_t>(m) * N, x, threadIdx.x, static_cast<unsigned>(N));
  block_store<1>(sum, y, m, M);
}

__global__ void __launch_bounds__(kSmallWarps * 32) mv_any_short(const elem* __restrict__ A, const elem* __restrict__ x, elem* __restrict__ y, int M, int N) {
  const unsigned m = blockIdx.x * kSmallWarps + (threadIdx.x >> 5);
  if (m >= static_cast<unsigned>(M)) {
    return;
  }
  const unsigned lane = threadIdx.x & 31;
  const float total = warp_sum(dot_any<32>(A + static_cast<size_t>(m) * N, x, lane, static_cast<unsigned>(N)));
  if (lane == 0) {
    y[m] = to_elem(total);
  }
}

}  // namespace

extern "C" void matrix_vector_mul(const float* A, const float* x, float* y, int M, int N) {
  const bool aligned = N % kVec == 0;
  if (N < kLong) {
    const unsigned blocks = static_cast<unsigned>((M - 1) / kSmallWarps + 1);
    if (aligned) {
      mv_short<<<blocks, kSmallWarps * 32>>>(A, x, y, M, N);
    } else {
      mv_any_short<<<blocks, kSmallWarps * 32>>>(A, x, y, M, N);
    }
  } else if (!aligned) {
    mv_any_long<<<static_cast<unsigned>(M), kThreads>>>(A, x, y, M, N);
  } else if (M < 264) {
    mv_long<1><<<static_cast<unsigned>(M), kThreads>>>(A, x, y, M, N);
  } else {
    mv_long<4><<<static_cast<unsigned>((M - 1) / 4 + 1), kThreads>>>(A, x, y, M, N);
  }
}
