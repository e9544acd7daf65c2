// C[i] = A[i] + B[i]; BF16 is widened, added in FP32 and rounded, which gives the same bits as adding it directly.
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

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 a, __nv_bfloat16 b) const {
    return __float2bfloat16(__bfloat162float(a) + __bfloat162float(b));
  }
  template <class Real>
  __device__ Vector<Real> operator()(Vector<Real> a, Vector<Real> b) const {  // by value, which loads them whole
    Vector<Real> c;
#pragma unroll
    for (int k = 0; k < Vector<Real>::width; ++k) c.at[k] = (*this)(a.at[k], b.at[k]);
    return c;
  }
};

template <class Element>
void add_each(const Element* A, const Element* B, Element* C, int count) {
  MSKB_CALL(cub::DeviceTransform::TransformStableArgumentAddresses(cuda::std::make_tuple(A, B), C, count, Sum{}));
}

template <class Real>
void add(const Real* A, const Real* B, Real* C, int N) {
  using V = Vector<Real>;
  const int vectors = N / V::width;
  const int done = vectors * V::width;
  add_each(reinterpret_cast<const V*>(A), reinterpret_cast<const V*>(B), reinterpret_cast<V*>(C), vectors);
  add_each(A + done, B + done, C + done, N - done);
}

}  // namespace

extern "C" void vector_add(const float* A, const float* B, float* C, int N) { add(A, B, C, N); }

extern "C" void vector_add_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int N) {
  add(A, B, C, N);
}
