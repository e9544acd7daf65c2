// C = A * B in FP32 on the CUDA cores, row-major.
// Register tiles of 8 x 8 (4 x 8 for few rows or odd shapes) per thread, double-buffered shared memory with the next
// tile held in registers meanwhile, and K split over blocks where C has too few tiles to fill the device.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256;
constexpr int kDepth = 16;  // K of one shared-memory tile
constexpr int kPad = 4;     // keeps the transposing stores of A free of bank conflicts, and rows 16-byte aligned
constexpr int kColumns = 128;
constexpr int kMostSplits = 32;

// kM: rows of C per block, 128 or 64. Eight warps stand 2 x 4; a warp's lanes stand 8 x 4, neighbours in lane number
// sharing a row, so that a 16-byte fragment load of either operand needs two passes over the banks.
template <int kM>
struct Tile {
  static constexpr int kThreadRows = kM / 16;               // 8 or 4
  static constexpr int kRowQuads = kThreadRows / 4;         // fragments of A per k
  static constexpr int kWarpRows = kM / 2;
  static constexpr int kLoadsA = kM * kDepth / 4 / kThreads;  // float4 per thread
  static constexpr int kLoadsB = kColumns * kDepth / 4 / kThreads;
  static constexpr int kStrideA = kM + kPad;
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

// Four floats at `at`, of which those from `left` on lie outside and read as zero. kVector: all four or none.
template <bool kVector>
__device__ __forceinline__ float4 load_quad(const float* __restrict__ at, int left) {
  float4 quad = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (kVector) {
    if (left > 0) quad = __ldg(reinterpret_cast<const float4*>(at));
  } else {
    if (left > 0) quad.x = __ldg(at);
    if (left > 1) quad.y = __ldg(at + 1);
    if (left > 2) quad.z = __ldg(at + 2);
    if (left > 3) quad.w = __ldg(at + 3);
  }
  return quad;
}

// Block (x, y, z): columns x, rows y, slice z of K. result: C, or one M x N matrix per slice.
template <int kM, bool kVector>
__global__ void __launch_bounds__(kThreads, 2)
    matrix_mul_kernel(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ result, int M,
                      int N, int K, int slice) {
  using S = Tile<kM>;
  __shared__ __align__(16) float shared_a[2][kDepth][S::kStrideA];
  __shared__ __align__(16) float shared_b[2][kDepth][kColumns];

  const int thread = threadIdx.x;
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int lane_m = (lane >> 1) & 7;
  const int lane_n = (lane & 1) | ((lane >> 4) << 1);
  const int tile_m = blockIdx.y * kM;
  const int tile_n = blockIdx.x * kColumns;
  const int first_k = blockIdx.z * slice;
  const int end_k = min(K, first_k + slice);
  const int fragment_m = (warp / 4) * S::kWarpRows + lane_m * 4;
  const int fragment_n = (warp % 4) * 32 + lane_n * 4;

  // Rows of A below the matrix and columns of B right of it are read from the last valid place: what comes of them is
  // never stored.
  constexpr int row_step = kThreads / (kDepth / 4);
  constexpr int depth_step = kThreads / (kColumns / 4);
  const int load_k = thread % (kDepth / 4) * 4;
  const int load_row = tile_m + thread / (kDepth / 4);
  const int load_depth = thread / (kColumns / 4);
  const int load_column = tile_n + thread % (kColumns / 4) * 4;
  const float* from_a[S::kLoadsA];
#pragma unroll
  for (int l = 0; l < S::kLoadsA; ++l) {
    from_a[l] = A + static_cast<size_t>(min(load_row + l * row_step, M - 1)) * K + first_k + load_k;
  }
  const int safe_column = kVector ? min(load_column, N - 4) : load_column;
  const float* from_b = B + static_cast<size_t>(first_k + load_depth) * N + safe_column;

  float4 next_a[S::kLoadsA], next_b[S::kLoadsB];
  const auto load_global = [&](int k) {
#pragma unroll
    for (int l = 0; l < S::kLoadsA; ++l) {
      next_a[l] = load_quad<kVector>(from_a[l], end_k - k - load_k);
      from_a[l] += kDepth;
    }
#pragma unroll
    for (int l = 0; l < S::kLoadsB; ++l) {
      const bool inside = k + load_depth + l * depth_step < end_k;
      next_b[l] = load_quad<kVector>(from_b + static_cast<size_t>(l) * depth_step * N,
                                     inside ? (kVector ? 4 : N - load_column) : 0);
    }
    from_b += static_cast<size_t>(kDepth) * N;
  };
  const auto store_shared = [&](int buffer) {
#pragma unroll
    for (int l = 0; l < S::kLoadsA; ++l) {
      const int index = thread + l * kThreads;
      const int row = index / (kDepth / 4);
      const int k = index % (kDepth / 4) * 4;
      shared_a[buffer][k + 0][row] = next_a[l].x;
      shared_a[buffer][k + 1][row] = next_a[l].y;
      shared_a[buffer][k + 2][row] = next_a[l].z;
      shared_a[buffer][k + 3][row] = next_a[l].w;
    }
#pragma unroll
    for (int l = 0; l < S::kLoadsB; ++l) {
      const int index = thread + l * kThreads;
      *reinterpret_cast<float4*>(&shared_b[buffer][index / (kColumns / 4)][index % (kColumns / 4) * 4]) = next_b[l];
    }
  };

  float sum[S::kThreadRows][8];
#pragma unroll
  for (int i = 0; i < S::kThreadRows; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) sum[i][j] = 0.0f;
  }

  load_global(first_k);
  store_shared(0);
  __syncthreads();

  int buffer = 0;
  for (int k0 = first_k; k0 < end_k; k0 += kDepth) {
    const bool more = k0 + kDepth < end_k;
    if (more) load_global(k0 + kDepth);
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[S::kThreadRows], b[8];
#pragma unroll
      for (int q = 0; q < S::kRowQuads; ++q) {
        *reinterpret_cast<float4*>(&a[q * 4]) =
            *reinterpret_cast<const float4*>(&shared_a[buffer][k][fragment_m + q * 32]);
      }
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        *reinterpret_cast<float4*>(&b[q * 4]) =
            *reinterpret_cast<const float4*>(&shared_b[buffer][k][fragment_n + q * 16]);
      }
#pragma unroll
      for (int i = 0; i < S::kThreadRows; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    if (more) {
      store_shared(buffer ^ 1);
      __syncthreads();
      buffer ^= 1;
    }
  }

  let_next_start();
  float* const out = result + static_cast<size_t>(blockIdx.z) * M * N;
#pragma unroll
  for (int i = 0; i < S::kThreadRows; ++i) {
    const int row = tile_m + fragment_m + (i / 4) * 32 + i % 4;
    if (row >= M) continue;
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      const int column = tile_n + fragment_n + q * 16;
      float* const at = out + static_cast<size_t>(row) * N + column;
      if (kVector) {
        if (column < N) {
          *reinterpret_cast<float4*>(at) =
              make_float4(sum[i][q * 4], sum[i][q * 4 + 1], sum[i][q * 4 + 2], sum[i][q * 4 + 3]);
        }
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (column + e < N) at[e] = sum[i][q * 4 + e];
        }
      }
    }
  }
}

// C = the sum of the slices, V = float4 or float, count in V.
__device__ __forceinline__ void add_to(float4& sum, const float4& term) {
  sum.x += term.x;
  sum.y += term.y;
  sum.z += term.z;
  sum.w += term.w;
}
__device__ __forceinline__ void add_to(float& sum, const float& term) { sum += term; }

template <typename V>
__global__ void __launch_bounds__(kThreads) add_slices_kernel(const V* slices, V* C, size_t count, int splits) {
  wait_for_previous();
  const size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count) return;
  V sum = slices[i];
#pragma unroll 8
  for (int s = 1; s < splits; ++s) add_to(sum, slices[s * count + i]);
  C[i] = sum;
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

template <int kM, bool kVector>
void run(const float* A, const float* B, float* C, int M, int N, int K) {
  const int columns = (N + kColumns - 1) / kColumns;
  const int rows = (M + kM - 1) / kM;
  const long long tiles = static_cast<long long>(columns) * rows;
  const long long slots = 2LL * multiprocessors();

  int splits = 1;
  if (tiles * 2 <= slots) {
    long long wanted = slots / tiles;
    if (wanted > K / (4 * kDepth)) wanted = K / (4 * kDepth);
    if (wanted > kMostSplits) wanted = kMostSplits;
    if (wanted > 1) splits = static_cast<int>(wanted);
  }
  int slice = K;
  float* result = C;
  if (splits > 1) {
    slice = ((K + splits - 1) / splits + kDepth - 1) / kDepth * kDepth;
    splits = (K + slice - 1) / slice;
  }
  if (splits > 1) {
    result = slices_workspace(sizeof(float) * splits * M * N);
    if (result == nullptr) {
      result = C;
      splits = 1;
      slice = K;
    }
  }

  // Rows in the y dimension, at most 65535 tiles of them: 4 million rows and more go in several launches.
  constexpr int most_rows = 65535;
  for (int first = 0; first < rows; first += most_rows) {
    const int count = rows - first < most_rows ? rows - first : most_rows;
    const size_t skip = static_cast<size_t>(first) * kM;
    matrix_mul_kernel<kM, kVector><<<dim3(columns, count, splits), kThreads>>>(
        A + skip * K, B, result + skip * N, M - static_cast<int>(skip), N, K, slice);
  }
  if (splits > 1) {
    const size_t count = static_cast<size_t>(M) * N / (kVector ? 4 : 1);
    const int blocks = static_cast<int>((count + kThreads - 1) / kThreads);
    if (kVector) {
      launch_dependent(add_slices_kernel<float4>, blocks, kThreads, 0, reinterpret_cast<const float4*>(result),
                       reinterpret_cast<float4*>(C), count, splits);
    } else {
      launch_dependent(add_slices_kernel<float>, blocks, kThreads, 0, result, C, count, splits);
    }
  }
}

}  // namespace

extern "C" void matrix_mul_optimized(const float* A, const float* B, float* C, int M, int N, int K) {
  if (M <= 0 || N <= 0) return;
  const bool vector = N % 4 == 0 && K % 4 == 0;
  if (!vector) {
    run<64, false>(A, B, C, M, N, K);
  } else if (M <= 64) {
    run<64, true>(A, B, C, M, N, K);
  } else {
    run<128, true>(A, B, C, M, N, K);
  }
}
