// Gated SiLU, out[b,d] = x / (1 + exp(-x)) * g, both precisions.
// One 16-byte vector of x and of g per thread; blocks are wide in d and stack rows when D is short.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr int kThreads = 128;

__device__ __forceinline__ float gated(float x, float g) { return x / (1.0f + expf(-x)) * g; }

__device__ __forceinline__ float low_half(unsigned pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float high_half(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }

__device__ __forceinline__ unsigned gated_pair(unsigned x, unsigned g) {
  const unsigned short low =
      __bfloat16_as_ushort(__float2bfloat16_rn(gated(low_half(x), low_half(g))));
  const unsigned short high =
      __bfloat16_as_ushort(__float2bfloat16_rn(gated(high_half(x), high_half(g))));
  return static_cast<unsigned>(low) | (static_cast<unsigned>(high) << 16);
}

// What 16 bytes hold, and a single element, for each precision.
__device__ __forceinline__ void store_gated(float4* out, const float4& x, const float4& g) {
  *out = make_float4(gated(x.x, g.x), gated(x.y, g.y), gated(x.z, g.z), gated(x.w, g.w));
}

__device__ __forceinline__ void store_gated(uint4* out, const uint4& x, const uint4& g) {
  *out = make_uint4(gated_pair(x.x, g.x), gated_pair(x.y, g.y), gated_pair(x.z, g.z), gated_pair(x.w, g.w));
}

__device__ __forceinline__ void store_gated(float* out, const float& x, const float& g) { *out = gated(x, g); }

__device__ __forceinline__ void store_gated(__nv_bfloat16* out, const __nv_bfloat16& x, const __nv_bfloat16& g) {
  *out = __float2bfloat16_rn(gated(__bfloat162float(x), __bfloat162float(g)));
}

// width: D counted in V.
template <typename V>
__global__ void __launch_bounds__(kThreads) silu_and_mul_kernel(const V* __restrict__ in, V* __restrict__ out,
                                                               int rows, int width) {
  const int d = blockIdx.x * blockDim.x + threadIdx.x;
  if (d >= width) return;
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y) {
    const V* x = in + static_cast<size_t>(row) * 2 * width + d;
    const V a = x[0];
    const V b = x[width];
    store_gated(out + static_cast<size_t>(row) * width + d, a, b);
  }
}

template <typename V>
void launch(const V* in, V* out, int rows, int width) {
  int columns = 1;
  while (columns < kThreads && columns < width) columns *= 2;
  const dim3 block(columns, kThreads / columns);
  const int row_blocks = (rows + static_cast<int>(block.y) - 1) / static_cast<int>(block.y);
  const dim3 grid((width + columns - 1) / columns, row_blocks < 65535 ? row_blocks : 65535);
  silu_and_mul_kernel<V><<<grid, block>>>(in, out, rows, width);
}

template <typename V, typename T>
void run(const T* in, T* out, int rows, int width) {
  constexpr int per_vector = sizeof(V) / sizeof(T);
  if (rows <= 0 || width <= 0) return;
  if (width % per_vector == 0) {
    launch(reinterpret_cast<const V*>(in), reinterpret_cast<V*>(out), rows, width / per_vector);
  } else {
    launch(in, out, rows, width);
  }
}

}  // namespace

extern "C" void silu_and_mul_optimized(const float* in, float* out, int32_t B, int32_t D) {
  run<float4>(in, out, B, D);
}

extern "C" void silu_and_mul_bf16_optimized(const __nv_bfloat16* in, __nv_bfloat16* out, int32_t B, int32_t D) {
  run<uint4>(in, out, B, D);
}
