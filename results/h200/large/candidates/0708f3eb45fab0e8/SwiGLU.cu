// output[i] = g / (1 + exp(-beta * g)) * v with g = gate_input[i], v = value_input[i]; BF16 is widened, evaluated in
// FP32 and rounded once.
// Vectors of 16 bytes, then what is left, an element at a time. Asked for stable addresses, CUB picks the size of its
// tiles in every call; otherwise version 3.0 keeps the one that suited the first call of the process.
#include <cub/device/device_transform.cuh>
#include <cuda_bf16.h>

#include <cuda/std/tuple>

#include "mskb/baseline.hpp"

namespace {

template <class Real>
struct alignas(16) Vector {
  static constexpr int width = 16 / sizeof(Real);
  Real at[width];
};

struct GatedSwish {
  float beta;
  __device__ float operator()(float g, float v) const { return g / (1.0f + __expf(-beta * g)) * v; }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 g, __nv_bfloat16 v) const {
    return __float2bfloat16((*this)(__bfloat162float(g), __bfloat162float(v)));
  }
  template <class Real>
  __device__ Vector<Real> operator()(Vector<Real> g, Vector<Real> v) const {  // by value, which loads them whole
    Vector<Real> y;
#pragma unroll
    for (int k = 0; k < Vector<Real>::width; ++k) y.at[k] = (*this)(g.at[k], v.at[k]);
    return y;
  }
};

template <class Element>
void gate_each(Element* output, const Element* gate, const Element* value, float beta, int count) {
  MSKB_CALL(cub::DeviceTransform::TransformStableArgumentAddresses(cuda::std::make_tuple(gate, value), output, count,
                                                                   GatedSwish{beta}));
}

template <class Real>
void apply(Real* output, const Real* gate, const Real* value, float beta, int N) {
  using V = Vector<Real>;
  const int vectors = N / V::width;
  const int done = vectors * V::width;
  gate_each(reinterpret_cast<V*>(output), reinterpret_cast<const V*>(gate), reinterpret_cast<const V*>(value), beta,
            vectors);
  gate_each(output + done, gate + done, value + done, beta, N - done);
}

}  // namespace

extern "C" void SwiGLU(float* output, const float* gate_input, const float* value_input, float beta, int N) {
  apply(output, gate_input, value_input, beta, N);
}

extern "C" void SwiGLU_bf16(__nv_bfloat16* output, const __nv_bfloat16* gate_input, const __nv_bfloat16* value_input,
                            float beta, int N) {
  apply(output, gate_input, value_input, beta, N);
}
