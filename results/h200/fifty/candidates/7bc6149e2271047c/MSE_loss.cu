// loss = sum_i (X[i] - Y[i])^2 / N: one device-wide reduction over vectors of 16 bytes, summed in FP32 and divided as
// it is stored.
// Overwrites the scalar where the original adds to it; the same thing, since the caller hands it in zeroed.
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <cuda_bf16.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "mskb/baseline.hpp"

namespace {

template <class Real>
struct alignas(16) Vector {
  static constexpr int width = 16 / sizeof(Real);
  Real at[width];
};

// Of the elements of vector v; the last one may be cut short by the end of the data.
template <class Real>
struct SquaredErrors {
  const Real* X;
  const Real* Y;
  int N;

  __device__ static float squared(Real x, Real y) {
    const float difference = static_cast<float>(x) - static_cast<float>(y);
    return difference * difference;
  }

  __device__ float operator()(int v) const {
    constexpr int width = Vector<Real>::width;
    const int begin = v * width;
    float sum = 0.0f;
    if (N - begin >= width) {
      const Vector<Real> x = reinterpret_cast<const Vector<Real>*>(X)[v];
      const Vector<Real> y = reinterpret_cast<const Vector<Real>*>(Y)[v];
#pragma unroll
      for (int k = 0; k < width; ++k) sum += squared(x.at[k], y.at[k]);
    } else {
      for (int i = begin; i < N; ++i) sum += squared(X[i], Y[i]);
    }
    return sum;
  }
};

struct Divide {
  float divisor;
  __host__ __device__ float operator()(float sum) const { return sum / divisor; }
};

template <class Real>
void mean_squared_error(float* loss, const Real* X, const Real* Y, int N) {
  static mskb::PerDevice<std::size_t> scratch_bytes;
  static mskb::Workspace scratch;
  constexpr int width = Vector<Real>::width;
  const int vectors = N / width + (N % width != 0);
  const auto mean = thrust::make_transform_output_iterator(loss, Divide{static_cast<float>(N)});
  const auto reduce = [&](void* memory, std::size_t& bytes) {
    MSKB_CALL(cub::DeviceReduce::TransformReduce(memory, bytes, thrust::counting_iterator<int>(0), mean, vectors,
                                                 cuda::std::plus<>{}, SquaredErrors<Real>{X, Y, N}, 0.0f));
  };
  std::size_t& bytes = scratch_bytes.get(vectors, [&](std::size_t& wanted) { reduce(nullptr, wanted); });
  reduce(scratch.at_least(bytes), bytes);
}

}  // namespace

extern "C" void MSE_loss(float* loss, const float* X, const float* Y, int N) { mean_squared_error(loss, X, Y, N); }

extern "C" void MSE_loss_bf16(float* loss, const __nv_bfloat16* X, const __nv_bfloat16* Y, const int N) {
  mean_squared_error(loss, X, Y, N);
}
