// out[b,d] = x / (1 + exp(-x)) * g with x = in[b,d] and g = in[b,D+d]: one transformation of the outputs' numbers. BF16
// is widened, evaluated in FP32 and rounded once. Outputs go by vectors of 16 bytes where these divide half a row.
#include <cub/device/device_transform.cuh>
#include <cuda_bf16.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstdint>

#include "mskb/baseline.hpp"

namespace {

template <class Real>
struct alignas(16) Vector {
  static constexpr int width = 16 / sizeof(Real);
  Real at[width];
};

__device__ float gated(float x, float g) { return x / (1.0f + __expf(-x)) * g; }

__device__ __nv_bfloat16 gated(__nv_bfloat16 x, __nv_bfloat16 g) {
  return __float2bfloat16(gated(__bfloat162float(x), __bfloat162float(g)));
}

template <class Real>
__device__ Vector<Real> gated(const Vector<Real>& x, const Vector<Real>& g) {
  Vector<Real> y;
#pragma unroll
  for (int k = 0; k < Vector<Real>::width; ++k) y.at[k] = gated(x.at[k], g.at[k]);
  return y;
}

// Element: one number or a vector of them.
template <class Element>
struct Gate {
  const Element* in;
  int half;  // of a row, in elements
  __device__ Element operator()(int i) const {
    const Element* from = in + i + std::int64_t{i / half} * half;
    const Element x = from[0];
    const Element g = from[half];
    return gated(x, g);
  }
};

template <class Element>
void apply(const void* in, void* out, int B, int half) {
  MSKB_CALL(cub::DeviceTransform::Transform(thrust::counting_iterator<int>(0), static_cast<Element*>(out), B * half,
                                            Gate<Element>{static_cast<const Element*>(in), half}));
}

template <class Real>
void silu_and_mul_of(const Real* in, Real* out, int B, int D) {
  constexpr int width = Vector<Real>::width;
  if (D % width == 0) {
    apply<Vector<Real>>(in, out, B, D / width);
  } else {
    apply<Real>(in, out, B, D);
  }
}

}  // namespace

extern "C" void silu_and_mul(const float* in, float* out, int B, int D) { silu_and_mul_of(in, out, B, D); }

extern "C" void silu_and_mul_bf16(const __nv_bfloat16* in, __nv_bfloat16* out, int B, int D) {
  silu_and_mul_of(in, out, B, D);
}
