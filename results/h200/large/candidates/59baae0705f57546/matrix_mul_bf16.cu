// C = A * B in BF16 with FP32 accumulation on the tensor cores, row-major. Tiles come through cp.async into swizzled
// shared memory, several ahead. K is split over blocks where C has too few tiles to fill the device.
// Hopper: wgmma, 128 x 256 or 128 x 128 per block of two warpgroups, operands straight from shared memory.
// Elsewhere, for few rows and for odd shapes: mma.sync m16n8k16 from fragments that ldmatrix fetches one step ahead.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// 0 leaves Hopper to mma.sync as well.
#ifndef EXPERT_WARPGROUPS
#define EXPERT_WARPGROUPS 1
#endif

namespace {

constexpr int kDepth = 64;  // K of one tile: rows of A are 128 bytes, eight 16-byte chunks
constexpr int kSteps = kDepth / 16;
constexpr int kMostSplits = 32;

template <int kMValue, int kNValue, int kWarpsMValue, int kWarpsNValue, int kStagesValue, int kBlocksPerSmValue>
struct Config {
  static constexpr int kM = kMValue;
  static constexpr int kN = kNValue;
  static constexpr int kWarpsN = kWarpsNValue;
  static constexpr int kStages = kStagesValue;
  static constexpr int kBlocksPerSm = kBlocksPerSmValue;
  static constexpr int kThreads = 32 * kWarpsMValue * kWarpsNValue;
  static constexpr int kTilesM = kM / kWarpsMValue / 16;  // m16 tiles of a warp
  static constexpr int kTilesN = kN / kWarpsNValue / 8;   // n8 tiles of a warp
  static constexpr int kBytesA = kM * kDepth * 2;
  static constexpr int kBytesB = kN * kDepth * 2;
  static constexpr int kBytes = kStages * (kBytesA + kBytesB);
};

using Big = Config<128, 256, 2, 4, 4, 1>;    // 192 KiB of shared memory
using Middle = Config<128, 128, 2, 4, 3, 1>;  // 96 KiB
using Flat = Config<64, 128, 2, 2, 4, 2>;     // 96 KiB, for few rows

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

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// 16 bytes, or 16 zeros where !inside (then nothing is read).
__device__ __forceinline__ void copy_async(unsigned to, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

__device__ __forceinline__ void load_matrices(unsigned (&r)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void load_matrices_transposed(unsigned (&r)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void multiply_add(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ unsigned pack_pair(float low, float high) {
  return static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16_rn(low))) |
         (static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16_rn(high))) << 16);
}

// Eight elements of a row-major matrix from (row, column) on into shared memory; zeros outside rows x columns.
// kVector: columns is a multiple of eight, so that a chunk lies inside or outside as a whole.
template <bool kVector>
__device__ __forceinline__ void copy_chunk(unsigned char* to, const __nv_bfloat16* __restrict__ matrix, int rows,
                                           int columns, int leading, int row, int column) {
  const bool inside = row < rows && column < columns;
  const __nv_bfloat16* const from = matrix + (inside ? static_cast<size_t>(row) * leading + column : 0);
  if (kVector) {
    copy_async(shared_address(to), from, inside);
  } else {
    unsigned short element[8];
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      element[e] = inside && column + e < columns ? __bfloat16_as_ushort(from[e]) : static_cast<unsigned short>(0);
    }
    *reinterpret_cast<uint4*>(to) =
        make_uint4(element[0] | (static_cast<unsigned>(element[1]) << 16),
                   element[2] | (static_cast<unsigned>(element[3]) << 16),
                   element[4] | (static_cast<unsigned>(element[5]) << 16),
                   element[6] | (static_cast<unsigned>(element[7]) << 16));
  }
}

// 16 rows from first_row on, of kTilesN m16n8 tiles: lane g * 4 + t holds columns 2 t and 2 t + 1 of rows g and g + 8.
template <bool kVector, int kTilesN>
__device__ __forceinline__ void store_rows(const float (&sum)[kTilesN][4], __nv_bfloat16* __restrict__ C,
                                           float* __restrict__ slices, int M, int N, int first_row, int first_column) {
  const int lane = threadIdx.x % 32;
  const int pair = lane % 4 * 2;
  const bool odd = (lane & 1) != 0;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = first_row + half * 8 + lane / 4;
    if (kVector && slices != nullptr) {
      float* const out = slices + (static_cast<size_t>(blockIdx.z) * M + row) * N;
#pragma unroll
      for (int j = 0; j < kTilesN; ++j) {
        const int column = first_column + j * 8 + pair;
        if (row < M && column < N) {
          *reinterpret_cast<float2*>(out + column) = make_float2(sum[j][half * 2], sum[j][half * 2 + 1]);
        }
      }
    } else {
      __nv_bfloat16* const out = C + static_cast<size_t>(row) * N;
#pragma unroll
      for (int j = 0; j < kTilesN; j += 2) {
        // Lanes of even t take four columns of tile j, those of odd t four of tile j + 1: whole sectors per store.
        const unsigned low = pack_pair(sum[j][half * 2], sum[j][half * 2 + 1]);
        const unsigned high = pack_pair(sum[j + 1][half * 2], sum[j + 1][half * 2 + 1]);
        if (kVector) {
          const unsigned other = __shfl_xor_sync(0xffffffffu, odd ? low : high, 1);
          const int column = first_column + (odd ? (j + 1) * 8 + pair - 2 : j * 8 + pair);
          if (row < M && column < N) {
            *reinterpret_cast<uint2*>(out + column) = odd ? make_uint2(other, high) : make_uint2(low, other);
          }
        } else if (row < M) {
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            const int column = first_column + (j + e / 2) * 8 + pair + e % 2;
            const unsigned word = e / 2 == 0 ? low : high;
            if (column < N) out[column] = __ushort_as_bfloat16(static_cast<unsigned short>(word >> (e % 2 * 16)));
          }
        }
      }
    }
  }
}

// Block (x, y, z): columns x, rows y, slice z of K. slices == nullptr: C itself; otherwise one FP32 M x N matrix per
// slice. Chunk c of a row r of a tile lies at chunk c ^ (r % 8), which frees ldmatrix of bank conflicts.
template <typename S, bool kVector>
__global__ void __launch_bounds__(S::kThreads, S::kBlocksPerSm)
    matrix_mul_bf16_kernel(const __nv_bfloat16* __restrict__ A, const __nv_bfloat16* __restrict__ B,
                           __nv_bfloat16* __restrict__ C, float* __restrict__ slices, int M, int N, int K, int slice) {
  extern __shared__ __align__(1024) unsigned char shared[];
  const int thread = threadIdx.x;
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int warp_m = warp / S::kWarpsN * (S::kTilesM * 16);
  const int warp_n = warp % S::kWarpsN * (S::kTilesN * 8);
  const int tile_m = blockIdx.y * S::kM;
  const int tile_n = blockIdx.x * S::kN;
  const int first_k = blockIdx.z * slice;
  const int end_k = min(K, first_k + slice);
  const int tiles = (end_k - first_k + kDepth - 1) / kDepth;

  const auto load_tile = [&](int tile) {
    if (tile < tiles) {
      unsigned char* const to_a = shared + tile % S::kStages * (S::kBytesA + S::kBytesB);
      unsigned char* const to_b = to_a + S::kBytesA;
      const int k = first_k + tile * kDepth;
      constexpr int loads_a = S::kM * 8 / S::kThreads, unroll_a = kVector ? loads_a : 1;
      constexpr int loads_b = S::kN * 8 / S::kThreads, unroll_b = kVector ? loads_b : 1;
#pragma unroll unroll_a
      for (int l = 0; l < loads_a; ++l) {
        const int index = thread + l * S::kThreads;
        const int row = index / 8, chunk = index % 8;
        copy_chunk<kVector>(to_a + row * 128 + ((chunk ^ (row & 7)) << 4), A, M, end_k, K, tile_m + row, k + chunk * 8);
      }
#pragma unroll unroll_b
      for (int l = 0; l < loads_b; ++l) {
        const int index = thread + l * S::kThreads;
        const int row = index / (S::kN / 8), chunk = index % (S::kN / 8);
        copy_chunk<kVector>(to_b + row * (S::kN * 2) + ((chunk ^ (row & 7)) << 4), B, end_k, N, N, k + row,
                            tile_n + chunk * 8);
      }
    }
    commit_copies();
  };

  const unsigned base = shared_address(shared);
  const unsigned offset_a = (warp_m + (lane & 15)) * 128 + (((lane >> 4) ^ (lane & 7)) << 4);
  const unsigned offset_b =
      S::kBytesA + (lane & 15) * (S::kN * 2) + (((warp_n / 8 + (lane >> 4)) ^ (lane & 7)) << 4);

  unsigned a[2][S::kTilesM][4];
  unsigned b[2][S::kTilesN / 2][4];  // two n8 tiles each
  const auto load_fragments = [&](int buffer, int tile, int step) {
    const unsigned stage = base + tile % S::kStages * (S::kBytesA + S::kBytesB);
#pragma unroll
    for (int i = 0; i < S::kTilesM; ++i) load_matrices(a[buffer][i], stage + i * 16 * 128 + (offset_a ^ (step << 5)));
#pragma unroll
    for (int j = 0; j < S::kTilesN / 2; ++j) {
      load_matrices_transposed(b[buffer][j], stage + step * 16 * (S::kN * 2) + (offset_b ^ (j << 5)));
    }
  };

  float sum[S::kTilesM][S::kTilesN][4];
#pragma unroll
  for (int i = 0; i < S::kTilesM; ++i) {
#pragma unroll
    for (int j = 0; j < S::kTilesN; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) sum[i][j][e] = 0.0f;
    }
  }

#pragma unroll
  for (int s = 0; s < S::kStages - 1; ++s) load_tile(s);
  wait_copies<S::kStages - 2>();
  __syncthreads();
  load_fragments(0, 0, 0);

  for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      if (step == kSteps - 1) {
        wait_copies<S::kStages - 2>();  // the next tile is there
        __syncthreads();                // for everybody, and nobody reads this one any more
        load_fragments(0, tile + 1, 0);
      } else {
        load_fragments((step + 1) % 2, tile, step + 1);
      }
      if (step == 0) load_tile(tile + S::kStages - 1);
#pragma unroll
      for (int i = 0; i < S::kTilesM; ++i) {
#pragma unroll
        for (int j = 0; j < S::kTilesN; ++j) {
          multiply_add(sum[i][j], a[step % 2][i], b[step % 2][j / 2][j % 2 * 2], b[step % 2][j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }
  wait_copies<0>();
  let_next_start();

#pragma unroll
  for (int i = 0; i < S::kTilesM; ++i) {
    store_rows<kVector>(sum[i], C, slices, M, N, tile_m + warp_m + i * 16, tile_n + warp_n);
  }
}

// ---- Hopper: warpgroups ----

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// d (64 x kN of a warpgroup, rows and columns as in m16n8 tiles) += A (64 x 16, K contiguous) * B (16 x kN, N
// contiguous); both operands by descriptor.
template <int kN>
struct Warpgroup;

#define TILE(j) "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
#define FOUR_TILES(j) TILE(j), TILE(j + 1), TILE(j + 2), TILE(j + 3)
#define SIXTEEN_TILES(j) FOUR_TILES(j), FOUR_TILES(j + 4), FOUR_TILES(j + 8), FOUR_TILES(j + 12)

template <>
struct Warpgroup<128> {
  static __device__ __forceinline__ void multiply_add(float (&d)[16][4], unsigned long long a, unsigned long long b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
        "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
        "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, 1, 1, 1, 0, 1;"
        : SIXTEEN_TILES(0)
        : "l"(a), "l"(b));
  }
};

template <>
struct Warpgroup<256> {
  static __device__ __forceinline__ void multiply_add(float (&d)[32][4], unsigned long long a, unsigned long long b) {
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, "
        "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
        "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
        "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "
        "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, "
        "%106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "
        "%123, %124, %125, %126, %127}, %128, %129, 1, 1, 1, 0, 1;"
        : SIXTEEN_TILES(0), SIXTEEN_TILES(16)
        : "l"(a), "l"(b));
  }
};

// Operand in shared memory under the 128-byte swizzle; distances in bytes. A: `stride` from eight rows to the next
// eight. B: `leading` from 64 columns to the next 64, `stride` from eight k to the next eight.
__device__ __forceinline__ unsigned long long operand(unsigned address, unsigned leading, unsigned stride) {
  const unsigned long long start = (address & 0x3ffff) >> 4, between = leading >> 4, step = stride >> 4;
  return start | between << 16 | step << 32 | 1ull << 62;
}

__device__ __forceinline__ void fence_accumulators() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void fence_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

#endif

template <int kNValue, int kStagesValue>
struct Group {
  static constexpr int kM = 128;
  static constexpr int kN = kNValue;
  static constexpr int kStages = kStagesValue;
  static constexpr int kThreads = 256;
  static constexpr int kBytesA = kM * kDepth * 2;
  static constexpr int kBytesB = kN * kDepth * 2;
  static constexpr int kBytes = kStages * (kBytesA + kBytesB);
};

using Wide = Group<256, 4>;    // 192 KiB of shared memory
using Square = Group<128, 6>;  // 192 KiB

// Grid and arguments as above; N and K are multiples of eight. A tile of B is kept as columns of 64, 8 KiB each.
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    warpgroup_kernel(const __nv_bfloat16* __restrict__ A, const __nv_bfloat16* __restrict__ B,
                     __nv_bfloat16* __restrict__ C, float* __restrict__ slices, int M, int N, int K, int slice) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(1024) unsigned char shared[];
  const int thread = threadIdx.x;
  const int warp = thread / 32;
  const int tile_m = blockIdx.y * S::kM;
  const int tile_n = blockIdx.x * S::kN;
  const int first_k = blockIdx.z * slice;
  const int end_k = min(K, first_k + slice);
  const int tiles = (end_k - first_k + kDepth - 1) / kDepth;
  const unsigned base = shared_address(shared);

  constexpr int loads_a = S::kM * 8 / S::kThreads, rows_a = S::kThreads / 8;
  constexpr int loads_b = S::kN * 8 / S::kThreads, chunks_b = S::kN / 8, rows_b = S::kThreads / chunks_b;
  const int row_a = thread / 8, chunk_a = thread % 8;
  const int row_b = thread / chunks_b, chunk_b = thread % chunks_b;
  const unsigned to_a = base + row_a * 128 + ((chunk_a ^ (row_a & 7)) << 4);
  const unsigned to_b =
      base + S::kBytesA + chunk_b / 8 * (kDepth * 128) + row_b * 128 + (((chunk_b & 7) ^ (row_b & 7)) << 4);
  const bool column_inside = tile_n + chunk_b * 8 < N;
  const __nv_bfloat16* from_a = A + static_cast<size_t>(tile_m + row_a) * K + first_k + chunk_a * 8;
  const __nv_bfloat16* from_b = B + static_cast<size_t>(first_k + row_b) * N + tile_n + chunk_b * 8;

  const auto load_tile = [&](int tile) {
    if (tile < tiles) {
      const unsigned stage = tile % S::kStages * (S::kBytesA + S::kBytesB);
      const int left = end_k - first_k - tile * kDepth;
#pragma unroll
      for (int l = 0; l < loads_a; ++l) {
        const bool inside = tile_m + row_a + l * rows_a < M && chunk_a * 8 < left;
        const __nv_bfloat16* const from = inside ? from_a + static_cast<size_t>(l * rows_a) * K : A;
        copy_async(to_a + stage + l * (rows_a * 128), from, inside);
      }
#pragma unroll
      for (int l = 0; l < loads_b; ++l) {
        const bool inside = column_inside && row_b + l * rows_b < left;
        const __nv_bfloat16* const from = inside ? from_b + static_cast<size_t>(l * rows_b) * N : B;
        copy_async(to_b + stage + l * (rows_b * 128), from, inside);
      }
      from_a += kDepth;
      from_b += static_cast<size_t>(kDepth) * N;
    }
    commit_copies();
  };

  float sum[S::kN / 8][4];
#pragma unroll
  for (int j = 0; j < S::kN / 8; ++j) {
#pragma unroll
    for (int e = 0; e < 4; ++e) sum[j][e] = 0.0f;
  }

#pragma unroll
  for (int s = 0; s < S::kStages - 2; ++s) load_tile(s);
  for (int tile = 0; tile < tiles; ++tile) {
    wait_copies<S::kStages - 3>();  // this tile is there
    fence_copies();                 // for the tensor cores as well
    wait_products<1>();             // the tile before the last is multiplied
    __syncthreads();                // for everybody
    const unsigned stage = base + tile % S::kStages * (S::kBytesA + S::kBytesB);
    fence_accumulators();
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      Warpgroup<S::kN>::multiply_add(sum, operand(stage + warp / 4 * (64 * 128) + step * 32, 16, 1024),
                                     operand(stage + S::kBytesA + step * (16 * 128), kDepth * 128, 1024));
    }
    commit_products();
    load_tile(tile + S::kStages - 2);  // where the tile before the last was
  }
  let_next_start();
  wait_products<0>();
  wait_copies<0>();
#pragma unroll
  for (int j = 0; j < S::kN / 8; ++j) {
#pragma unroll
    for (int e = 0; e < 4; ++e) asm volatile("" : "+f"(sum[j][e])::"memory");
  }
  store_rows<true>(sum, C, slices, M, N, tile_m + warp * 16, tile_n);
#endif
}

// ---- Host ----

constexpr int kAddThreads = 256;

// C = the rounded sum of the slices; count in groups of four elements.
__global__ void __launch_bounds__(kAddThreads)
    add_slices_kernel(const float4* slices, uint2* C, size_t count, int splits) {
  wait_for_previous();
  const size_t i = static_cast<size_t>(blockIdx.x) * kAddThreads + threadIdx.x;
  if (i >= count) return;
  float4 sum = slices[i];
#pragma unroll 8
  for (int s = 1; s < splits; ++s) {
    const float4 term = slices[s * count + i];
    sum.x += term.x;
    sum.y += term.y;
    sum.z += term.z;
    sum.w += term.w;
  }
  C[i] = make_uint2(pack_pair(sum.x, sum.y), pack_pair(sum.z, sum.w));
}

struct Device {
  int multiprocessors = 1;
  int shared_bytes = 0;  // most that one block may ask for
  int major = 0;  // of the compute capability
};

const Device& device() {
  static const Device facts = [] {
    Device d;
    int index = 0;
    cudaGetDevice(&index);
    cudaDeviceGetAttribute(&d.multiprocessors, cudaDevAttrMultiProcessorCount, index);
    cudaDeviceGetAttribute(&d.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, index);
    cudaDeviceGetAttribute(&d.major, cudaDevAttrComputeCapabilityMajor, index);
    if (d.multiprocessors < 1) d.multiprocessors = 1;
    return d;
  }();
  return facts;
}

// Starts a kernel that begins with wait_for_previous(): its blocks may be set up while the one before still runs.
template <typename... Parameters, typename... Arguments>
void launch_dependent(void (*kernel)(Parameters...), int grid, int block, size_t shared, Arguments... arguments) {
  const bool overlapped = device().major >= 9;
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

// Kept between calls; grows with the sizes asked for. nullptr where there is no memory for it.
float* slices_workspace(size_t bytes) {
  static void* memory = nullptr;
  static size_t capacity = 0;
  if (bytes > capacity) {
    cudaFree(memory);
    memory = nullptr;
    capacity = cudaMalloc(&memory, bytes) == cudaSuccess ? bytes : 0;
  }
  return capacity >= bytes ? static_cast<float*>(memory) : nullptr;
}

using Kernel = void(const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*, float*, int, int, int, int);

template <typename S, bool kVector>
void run(Kernel* kernel, const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  static const bool ready =
      (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kBytes), true);
  static_cast<void>(ready);

  const int columns = (N + S::kN - 1) / S::kN;
  const int rows = (M + S::kM - 1) / S::kM;
  const long long tiles = static_cast<long long>(columns) * rows;

  // One block per multiprocessor is enough to keep the memory busy; more slices only add traffic.
  int splits = 1;
  if (kVector && tiles * 2 <= device().multiprocessors) {
    long long wanted = device().multiprocessors / tiles;
    if (wanted > K / (2 * kDepth)) wanted = K / (2 * kDepth);
    if (wanted > kMostSplits) wanted = kMostSplits;
    if (wanted > 1) splits = static_cast<int>(wanted);
  }
  int slice = K;
  float* slices = nullptr;
  if (splits > 1) {
    slice = ((K + splits - 1) / splits + kDepth - 1) / kDepth * kDepth;
    splits = (K + slice - 1) / slice;
  }
  if (splits > 1) {
    slices = slices_workspace(sizeof(float) * splits * M * N);
    if (slices == nullptr) splits = 1;
  }
  if (splits == 1) slice = K;

  constexpr int most_rows = 65535;
  for (int first = 0; first < rows; first += most_rows) {
    const int count = rows - first < most_rows ? rows - first : most_rows;
    const size_t skip = static_cast<size_t>(first) * S::kM;
    kernel<<<dim3(columns, count, splits), S::kThreads, S::kBytes>>>(
        A + skip * K, B, C + skip * N, slices, M - static_cast<int>(skip), N, K, slice);
  }
  if (splits > 1) {
    const size_t count = static_cast<size_t>(M) * N / 4;
    launch_dependent(add_slices_kernel, static_cast<int>((count + kAddThreads - 1) / kAddThreads), kAddThreads, 0,
                     reinterpret_cast<const float4*>(slices), reinterpret_cast<uint2*>(C), count, splits);
  }
}

}  // namespace

extern "C" void matrix_mul_bf16_optimized(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M,
                                          int N, int K) {
  if (M <= 0 || N <= 0) return;
  const long long wide_tiles = static_cast<long long>((M + Wide::kM - 1) / Wide::kM) * ((N + Wide::kN - 1) / Wide::kN);
  const bool many = wide_tiles * 4 >= device().multiprocessors * 3LL;
  if (N % 8 != 0 || K % 8 != 0) {
    run<Flat, false>(matrix_mul_bf16_kernel<Flat, false>, A, B, C, M, N, K);
  } else if (M <= 64) {
    run<Flat, true>(matrix_mul_bf16_kernel<Flat, true>, A, B, C, M, N, K);
  } else if (EXPERT_WARPGROUPS && device().major == 9) {
    many ? run<Wide, true>(warpgroup_kernel<Wide>, A, B, C, M, N, K)
         : run<Square, true>(warpgroup_kernel<Square>, A, B, C, M, N, K);
  } else if (many && device().shared_bytes >= Big::kBytes) {
    run<Big, true>(matrix_mul_bf16_kernel<Big, true>, A, B, C, M, N, K);
  } else {
    run<Middle, true>(matrix_mul_bf16_kernel<Middle, true>, A, B, C, M, N, K);
  }
}
