// Forward complex DFT of a power-of-two length, split real and imaginary arrays, both precisions (float inside).
// A transform of up to 8192 points lives in one group of threads: 8 points per thread in registers, a first pass of
// radix 2, 4 or 8 and then radix 8 (Stockham order), exchanged through shared memory. Up to 4096 points one block does
// all. Longer transforms are N1 x N2: one kernel transforms the columns and applies the twiddles, a second the rows.
// Beyond 2^26 points, plain radix-2 passes over global memory.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

__device__ __forceinline__ float widen(float value) { return value; }
__device__ __forceinline__ float widen(__nv_bfloat16 value) { return __bfloat162float(value); }
__device__ __forceinline__ void narrow(float value, float* out) { *out = value; }
__device__ __forceinline__ void narrow(float value, __nv_bfloat16* out) { *out = __float2bfloat16_rn(value); }

__device__ __forceinline__ float2 add(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 subtract(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 multiply(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ __forceinline__ float2 times_minus_i(float2 a) { return make_float2(a.y, -a.x); }

// exp(-2 pi i * step * turn), where turn is a power of two (exact), 0 <= step * turn < 1.
__device__ __forceinline__ float2 root_of_unity(int step, float turn) {
  float2 w;
  sincospif(-2.0f * (static_cast<float>(step) * turn), &w.y, &w.x);
  return w;
}

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

// In-place transforms of kRadix values at v[0], v[kStep], ..., natural order in and out.
template <int kRadix, int kStep>
struct Butterfly;

template <int kStep>
struct Butterfly<2, kStep> {
  static __device__ __forceinline__ void run(float2* v) {
    const float2 a = v[0], b = v[kStep];
    v[0] = add(a, b);
    v[kStep] = subtract(a, b);
  }
};

template <int kStep>
struct Butterfly<4, kStep> {
  static __device__ __forceinline__ void run(float2* v) {
    const float2 s0 = add(v[0], v[2 * kStep]), d0 = subtract(v[0], v[2 * kStep]);
    const float2 s1 = add(v[kStep], v[3 * kStep]), d1 = times_minus_i(subtract(v[kStep], v[3 * kStep]));
    v[0] = add(s0, s1);
    v[kStep] = add(d0, d1);
    v[2 * kStep] = subtract(s0, s1);
    v[3 * kStep] = subtract(d0, d1);
  }
};

template <int kStep>
struct Butterfly<8, kStep> {
  static __device__ __forceinline__ void run(float2* v) {
    constexpr float half_root = 0.70710678118654752f;
    float2 even[4] = {v[0], v[2 * kStep], v[4 * kStep], v[6 * kStep]};
    float2 odd[4] = {v[kStep], v[3 * kStep], v[5 * kStep], v[7 * kStep]};
    Butterfly<4, 1>::run(even);
    Butterfly<4, 1>::run(odd);
    odd[1] = make_float2((odd[1].x + odd[1].y) * half_root, (odd[1].y - odd[1].x) * half_root);
    odd[2] = times_minus_i(odd[2]);
    odd[3] = make_float2((odd[3].y - odd[3].x) * half_root, (-odd[3].x - odd[3].y) * half_root);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      v[k * kStep] = add(even[k], odd[k]);
      v[(k + 4) * kStep] = subtract(even[k], odd[k]);
    }
  }
};

// Transforms of 2^kLog points, kTransforms of them side by side in a block. Thread j of kGroup of a transform holds the
// points j + kGroup * e in v[e], before and after.
template <int kLog, int kTransforms>
struct Transform {
  static constexpr int kPoints = 1 << kLog;
  static constexpr int kHeld = kPoints < 8 ? kPoints : 8;
  static constexpr int kGroup = kPoints / kHeld;
  static constexpr int kThreads = kGroup * kTransforms;
  static constexpr int kFirstRadix = kLog % 3 == 0 ? 8 : 1 << kLog % 3;
  // One hole every eight points keeps strides of 8 off the same banks.
  static constexpr size_t kSharedBytes = static_cast<size_t>(kPoints + kPoints / 8) * kTransforms * sizeof(float2);

  static __device__ __forceinline__ int slot(int point, int transform) {
    return (point + point / 8) * kTransforms + transform;
  }

  // The pass that joins transforms of kDone points into such of kDone * kRadix.
  template <int kRadix, int kDone>
  static __device__ __forceinline__ void pass(float2 (&v)[kHeld], int j, int transform, float2* shared) {
    constexpr int butterflies = kHeld / kRadix;
#pragma unroll
    for (int b = 0; b < butterflies; ++b) {
      if (kDone > 1) {
        const float2 w1 = root_of_unity((j + b * kGroup) % kDone, 1.0f / (kDone * kRadix));
        float2 w[8];
        w[1] = w1;
#pragma unroll
        for (int r = 2; r < kRadix; ++r) w[r] = multiply(w[r / 2], w[r - r / 2]);
#pragma unroll
        for (int r = 1; r < kRadix; ++r) v[b + r * butterflies] = multiply(v[b + r * butterflies], w[r]);
      }
      Butterfly<kRadix, butterflies>::run(v + b);
    }
    if (kDone * kRadix < kPoints) {
      if (kDone > 1) __syncthreads();  // the exchange before has been read
#pragma unroll
      for (int b = 0; b < butterflies; ++b) {
        const int q = j + b * kGroup;
        const int first = q / kDone * (kDone * kRadix) + q % kDone;
#pragma unroll
        for (int r = 0; r < kRadix; ++r) shared[slot(first + r * kDone, transform)] = v[b + r * butterflies];
      }
      __syncthreads();
#pragma unroll
      for (int e = 0; e < kHeld; ++e) v[e] = shared[slot(j + e * kGroup, transform)];
    }
  }

  // Radix-8 passes from kDone points on, by recursion so that every stride is a constant.
  template <int kDone, bool kMore>
  struct Rest {
    static __device__ __forceinline__ void run(float2 (&v)[kHeld], int j, int transform, float2* shared) {
      pass<8, kDone>(v, j, transform, shared);
      Rest<kDone * 8, (kDone * 8 < kPoints)>::run(v, j, transform, shared);
    }
  };
  template <int kDone>
  struct Rest<kDone, false> {
    static __device__ __forceinline__ void run(float2 (&)[kHeld], int, int, float2*) {}
  };

  static __device__ __forceinline__ void run(float2 (&v)[kHeld], int j, int transform, float2* shared) {
    pass<kFirstRadix, 1>(v, j, transform, shared);
    Rest<kFirstRadix, (kFirstRadix < kPoints)>::run(v, j, transform, shared);
  }
};

template <typename T, int kLog>
__global__ void __launch_bounds__(Transform<kLog, 1>::kThreads)
    whole_kernel(const T* __restrict__ input_real, const T* __restrict__ input_img, T* __restrict__ output_real,
                 T* __restrict__ output_img) {
  using F = Transform<kLog, 1>;
  extern __shared__ float2 exchange[];
  const int j = threadIdx.x;
  float2 v[F::kHeld];
#pragma unroll
  for (int e = 0; e < F::kHeld; ++e) {
    v[e] = make_float2(widen(input_real[j + e * F::kGroup]), widen(input_img[j + e * F::kGroup]));
  }
  F::run(v, j, 0, exchange);
#pragma unroll
  for (int e = 0; e < F::kHeld; ++e) {
    narrow(v[e].x, output_real + j + e * F::kGroup);
    narrow(v[e].y, output_img + j + e * F::kGroup);
  }
}

// The input is N1 = 2^kLog rows of N2; each block transforms kTransforms neighbouring columns. Output k1 of column n2
// is turned by exp(-2 pi i n2 k1 turn), turn = 1 / N, and goes to middle[k1 * N2 + n2].
template <typename T, int kLog, int kTransforms>
__global__ void __launch_bounds__(Transform<kLog, kTransforms>::kThreads)
    columns_kernel(const T* __restrict__ input_real, const T* __restrict__ input_img, float2* __restrict__ middle,
                   int log_n2, float turn) {
  using F = Transform<kLog, kTransforms>;
  extern __shared__ float2 exchange[];
  let_next_start();
  const int transform = threadIdx.x % kTransforms;
  const int j = threadIdx.x / kTransforms;
  const int n2 = blockIdx.x * kTransforms + transform;
  float2 v[F::kHeld];
#pragma unroll
  for (int e = 0; e < F::kHeld; ++e) {
    const int at = ((j + e * F::kGroup) << log_n2) + n2;
    v[e] = make_float2(widen(input_real[at]), widen(input_img[at]));
  }
  F::run(v, j, transform, exchange);
#pragma unroll
  for (int e = 0; e < F::kHeld; ++e) {
    const int k1 = j + e * F::kGroup;
    middle[(k1 << log_n2) + n2] = multiply(v[e], root_of_unity(n2 * k1, turn));
  }
}

// Row k1 of middle, N2 = 2^kLog points, becomes the outputs k1 + N1 * k2.
template <typename T, int kLog, int kTransforms>
__global__ void __launch_bounds__(Transform<kLog, kTransforms>::kThreads)
    rows_kernel(const float2* middle, T* output_real, T* output_img, int log_n1) {
  using F = Transform<kLog, kTransforms>;
  extern __shared__ float2 exchange[];
  const int transform = threadIdx.x % kTransforms;
  const int j = threadIdx.x / kTransforms;
  const int k1 = blockIdx.x * kTransforms + transform;
  wait_for_previous();
  float2 v[F::kHeld];
#pragma unroll
  for (int e = 0; e < F::kHeld; ++e) v[e] = middle[(k1 << kLog) + j + e * F::kGroup];
  F::run(v, j, transform, exchange);
#pragma unroll
  for (int e = 0; e < F::kHeld; ++e) {
    const int at = k1 + ((j + e * F::kGroup) << log_n1);
    narrow(v[e].x, output_real + at);
    narrow(v[e].y, output_img + at);
  }
}

// For the longest transforms: from split arrays, one radix-2 pass that joins transforms of `done` points, and back.
constexpr int kPassThreads = 256;

template <typename T>
__global__ void pack_kernel(const T* __restrict__ input_real, const T* __restrict__ input_img,
                            float2* __restrict__ to) {
  const int i = blockIdx.x * kPassThreads + threadIdx.x;
  to[i] = make_float2(widen(input_real[i]), widen(input_img[i]));
}

__global__ void pass_kernel(const float2* __restrict__ from, float2* __restrict__ to, int half, int done) {
  const int i = blockIdx.x * kPassThreads + threadIdx.x;
  const int k = i % done;
  const float2 a = from[i];
  const float2 b = multiply(from[i + half], root_of_unity(k, 0.5f / static_cast<float>(done)));
  const int at = (i - k) * 2 + k;
  to[at] = add(a, b);
  to[at + done] = subtract(a, b);
}

template <typename T>
__global__ void unpack_kernel(const float2* __restrict__ from, T* __restrict__ output_real,
                              T* __restrict__ output_img) {
  const int i = blockIdx.x * kPassThreads + threadIdx.x;
  narrow(from[i].x, output_real + i);
  narrow(from[i].y, output_img + i);
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

constexpr int kMostWhole = 12;     // log2 of the longest transform of one block
constexpr int kMostTwoKernel = 26;  // two factors of at most 2^13 points

// Kept between calls; grows with the sizes asked for.
float2* middle_workspace(size_t points) {
  static void* memory = nullptr;
  static size_t capacity = 0;
  if (points > capacity) {
    cudaFree(memory);
    memory = nullptr;
    capacity = cudaMalloc(&memory, points * sizeof(float2)) == cudaSuccess ? points : 0;
  }
  return static_cast<float2*>(memory);
}

template <typename Kernel>
void allow_shared(Kernel* kernel, size_t bytes) {
  if (bytes > 48 * 1024) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  }
}

template <typename T, int kLog>
void run_whole(const T* input_real, const T* input_img, T* output_real, T* output_img, int log_n) {
  if (log_n == kLog) {
    using F = Transform<kLog, 1>;
    whole_kernel<T, kLog><<<1, F::kThreads, F::kSharedBytes>>>(input_real, input_img, output_real, output_img);
  } else if constexpr (kLog < kMostWhole) {
    run_whole<T, kLog + 1>(input_real, input_img, output_real, output_img, log_n);
  }
}

// Transforms side by side: four, fewer where the block would pass 1024 threads.
constexpr int side_by_side(int log) { return log <= 11 ? 4 : (log == 12 ? 2 : 1); }

template <typename T, int kLog>
void run_columns(const T* input_real, const T* input_img, float2* middle, int log_n1, int log_n2) {
  if (log_n1 == kLog) {
    constexpr int transforms = side_by_side(kLog);
    using F = Transform<kLog, transforms>;
    static const bool ready = (allow_shared(columns_kernel<T, kLog, transforms>, F::kSharedBytes), true);
    static_cast<void>(ready);
    columns_kernel<T, kLog, transforms>
        <<<(1 << log_n2) / transforms, F::kThreads, F::kSharedBytes>>>(input_real, input_img, middle, log_n2,
                                                                       1.0f / static_cast<float>(F::kPoints << log_n2));
  } else if constexpr (kLog < kMostTwoKernel / 2) {
    run_columns<T, kLog + 1>(input_real, input_img, middle, log_n1, log_n2);
  }
}

template <typename T, int kLog>
void run_rows(const float2* middle, T* output_real, T* output_img, int log_n1, int log_n2) {
  if (log_n2 == kLog) {
    constexpr int transforms = side_by_side(kLog);
    using F = Transform<kLog, transforms>;
    static const bool ready = (allow_shared(rows_kernel<T, kLog, transforms>, F::kSharedBytes), true);
    static_cast<void>(ready);
    launch_dependent(rows_kernel<T, kLog, transforms>, (1 << log_n1) / transforms, F::kThreads, F::kSharedBytes, middle,
                     output_real, output_img, log_n1);
  } else if constexpr (kLog < kMostTwoKernel / 2) {
    run_rows<T, kLog + 1>(middle, output_real, output_img, log_n1, log_n2);
  }
}

template <typename T>
void run_passes(const T* input_real, const T* input_img, T* output_real, T* output_img, int N) {
  float2* from = middle_workspace(2 * static_cast<size_t>(N));
  if (from == nullptr) return;
  float2* to = from + N;
  pack_kernel<<<N / kPassThreads, kPassThreads>>>(input_real, input_img, from);
  for (int done = 1; done < N; done *= 2) {
    pass_kernel<<<N / 2 / kPassThreads, kPassThreads>>>(from, to, N / 2, done);
    float2* const swap = from;
    from = to;
    to = swap;
  }
  unpack_kernel<<<N / kPassThreads, kPassThreads>>>(from, output_real, output_img);
}

template <typename T>
void run(const T* input_real, const T* input_img, T* output_real, T* output_img, int N) {
  int log_n = 0;
  while (log_n < 30 && (1 << log_n) < N) ++log_n;
  if (log_n < 1) return;
  if (log_n > kMostTwoKernel) {
    run_passes(input_real, input_img, output_real, output_img, N);
    return;
  }
  if (log_n <= kMostWhole) {
    run_whole<T, 1>(input_real, input_img, output_real, output_img, log_n);
    return;
  }
  const int log_n1 = (log_n + 1) / 2;
  const int log_n2 = log_n - log_n1;
  float2* const middle = middle_workspace(N);
  if (middle == nullptr) return;
  run_columns<T, 6>(input_real, input_img, middle, log_n1, log_n2);
  run_rows<T, 6>(middle, output_real, output_img, log_n1, log_n2);
}

}  // namespace

extern "C" void FFT_optimized(const float* input_real, const float* input_img, float* output_real, float* output_img,
                              int N) {
  run(input_real, input_img, output_real, output_img, N);
}

extern "C" void FFT_bf16_optimized(const __nv_bfloat16* input_real, const __nv_bfloat16* input_img,
                                   __nv_bfloat16* output_real, __nv_bfloat16* output_img, int N) {
  run(input_real, input_img, output_real, output_img, N);
}
