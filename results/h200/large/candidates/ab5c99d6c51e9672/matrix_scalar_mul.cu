// B[i,j] = scalar * A[i,j]; in BF16 the product of two widened elements is exact in FP32 and rounded once.
// Vectors of 16 bytes, then what is left, an element at a time. Asked for stable addresses, CUB picks the size of its
// tiles in every call; otherwise version 3.0 keeps the one that suited the first call of the process.
#include <cub/device/device_transform.cuh>
#include <cuda_bf16.h>

#include <cstdint>

#include "mskb/baseline.hpp"

namespace {

template <class Real>
struct alignas(16) Vector {
  static constexpr int width = 16 / sizeof(Real);
  Real at[width];
};

struct Scale {
  float scalar;
  __device__ float operator()(float x) const { return scalar * x; }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 x) const { return __float2bfloat16(scalar * __bfloat162float(x)); }
  template <class Real>
  __device__ Vector<Real> operator()(Vector<Real> x) const {  // by value, which loads it whole
    Vector<Real> y;
#pragma unroll
    for (int k = 0; k < Vector<Real>::width; ++k) y.at[k] = (*this)(x.at[k]);
    return y;
  }
};

template <class Real>
void scale(const Real* A, Real* B, const Scale& operation, std::int64_t elements) {
  using V = Vector<Real>;
  const std::int64_t vectors = elements / V::width;
  const std::int64_t done = vectors * V::width;
  MSKB_CALL(cub::DeviceTransform::TransformStableArgumentAddresses(
      reinterpret_cast<const V*>(A), reinterpret_cast<V*>(B), vectors, operation));
  MSKB_CALL(cub::DeviceTransform::TransformStableArgumentAddresses(A + done, B + done, elements - done, operation));
}

}  // namespace

extern "C" void matrix_scalar_mul(const float* A, float* B, float scalar, int M, int N) {
  scale(A, B, Scale{scalar}, std::int64_t{M} * N);
}

extern "C" void matrix_scalar_mul_bf16(const __nv_bfloat16* A, __nv_bfloat16* B, __nv_bfloat16 scalar, int M, int N) {
  scale(A, B, Scale{__bfloat162float(scalar)}, std::int64_t{M} * N);
}
