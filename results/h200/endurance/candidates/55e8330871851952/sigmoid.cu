// out[i] = 1 / (1 + exp(-input[i])); BF16 is widened, evaluated in FP32 and rounded once.
// Vectors of 16 bytes, then what is left, an element at a time. Asked for stable addresses, CUB picks the size of its
// tiles in every call; otherwise version 3.0 keeps the one that suited the first call of the process.
#include <cub/device/device_transform.cuh>
#include <cuda_bf16.h>

#include "mskb/baseline.hpp"

namespace {

template <class Real>
struct alignas(16) Vector {
  static constexpr int width = 16 / sizeof(Real);
  Real at[width];
};

struct Sigmoid {
  __device__ float operator()(float x) const { return 1.0f / (1.0f + expf(-x)); }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 x) const { return __float2bfloat16((*this)(__bfloat162float(x))); }
  template <class Real>
  __device__ Vector<Real> operator()(Vector<Real> x) const {  // by value, which loads it whole
    Vector<Real> y;
#pragma unroll
    for (int k = 0; k < Vector<Real>::width; ++k) y.at[k] = (*this)(x.at[k]);
    return y;
  }
};

template <class Real>
void apply(Real* out, const Real* input, int N) {
  using V = Vector<Real>;
  const int vectors = N / V::width;
  const int done = vectors * V::width;
  MSKB_CALL(cub::DeviceTransform::TransformStableArgumentAddresses(
      reinterpret_cast<const V*>(input), reinterpret_cast<V*>(out), vectors, Sigmoid{}));
  MSKB_CALL(cub::DeviceTransform::TransformStableArgumentAddresses(input + done, out + done, N - done, Sigmoid{}));
}

}  // namespace

extern "C" void sigmoid(float* out, const float* input, const int N) { apply(out, input, N); }

extern "C" void sigmoid_bf16(__nv_bfloat16* out, const __nv_bfloat16* input, const int N) { apply(out, input, N); }
