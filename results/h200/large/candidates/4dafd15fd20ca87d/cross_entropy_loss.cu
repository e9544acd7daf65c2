// loss = - sum_i Y[i] * ln(max(X[i], 1e-8)), where Y[i] is not 0: one device-wide reduction over vectors of 16 bytes,
// summed in FP32.
// Overwrites the scalar where the original adds to it; the same thing, since the caller hands it in zeroed.
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <cuda_bf16.h>
#include <thrust/iterator/counting_iterator.h>

#include "mskb/baseline.hpp"

namespace {

template <class Real>
struct alignas(16) Vector {
  static constexpr int width = 16 / sizeof(Real);
  Real at[width];
};

// Of the elements of vector v; the last one may be cut short by the end of the data.
template <class Real>
struct CrossEntropies {
  const Real* X;
  const Real* Y;
  int C;

  __device__ static float term(Real x, Real y) {
    const float target = static_cast<float>(y);
    return target == 0.0f ? 0.0f : -target * logf(fmaxf(static_cast<float>(x), 1e-8f));
  }

  __device__ float operator()(int v) const {
    constexpr int width = Vector<Real>::width;
    const int begin = v * width;
    float sum = 0.0f;
    if (C - begin >= width) {
      const Vector<Real> x = reinterpret_cast<const Vector<Real>*>(X)[v];
      const Vector<Real> y = reinterpret_cast<const Vector<Real>*>(Y)[v];
#pragma unroll
      for (int k = 0; k < width; ++k) sum += term(x.at[k], y.at[k]);
    } else {
      for (int i = begin; i < C; ++i) sum += term(X[i], Y[i]);
    }
    return sum;
  }
};

template <class Real>
void cross_entropy(float* loss, const Real* X, const Real* Y, int C) {
  static mskb::PerDevice<std::size_t> scratch_bytes;
  static mskb::Workspace scratch;
  constexpr int width = Vector<Real>::width;
  const int vectors = C / width + (C % width != 0);
  const auto reduce = [&](void* memory, std::size_t& bytes) {
    MSKB_CALL(cub::DeviceReduce::TransformReduce(memory, bytes, thrust::counting_iterator<int>(0), loss, vectors,
                                                 cuda::std::plus<>{}, CrossEntropies<Real>{X, Y, C}, 0.0f));
  };
  std::size_t& bytes = scratch_bytes.get(vectors, [&](std::size_t& wanted) { reduce(nullptr, wanted); });
  reduce(scratch.at_least(bytes), bytes);
}

}  // namespace

extern "C" void cross_entropy_loss(float* loss, const float* X, const float* Y, const int C) {
  cross_entropy(loss, X, Y, C);
}

extern "C" void cross_entropy_loss_bf16(float* loss, const __nv_bfloat16* X, const __nv_bfloat16* Y, const int C) {
  cross_entropy(loss, X, Y, C);
}
