// loss = sum_i (X[i] - Y[i])^2 / N: one device-wide reduction over the elements, summed in FP32 and divided as it is
// stored. Elements one by one rather than in vectors: CUB gives each thread a fixed number of items, so that larger ones
// would leave most of the device without work at the smaller sizes; and without a branch in the operation a thread's
// loads are all on their way together.
// Overwrites the scalar where the original adds to it; the same thing, since the caller hands it in zeroed.
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <cuda_bf16.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "mskb/baseline.hpp"

namespace {

template <class Real>
struct SquaredError {
  const Real* X;
  const Real* Y;
  __device__ float operator()(int i) const {
    const float difference = static_cast<float>(X[i]) - static_cast<float>(Y[i]);
    return difference * difference;
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
  const auto mean = thrust::make_transform_output_iterator(loss, Divide{static_cast<float>(N)});
  const auto reduce = [&](void* memory, std::size_t& bytes) {
    MSKB_CALL(cub::DeviceReduce::TransformReduce(memory, bytes, thrust::counting_iterator<int>(0), mean, N,
                                                 cuda::std::plus<>{}, SquaredError<Real>{X, Y}, 0.0f));
  };
  std::size_t& bytes = scratch_bytes.get(N, [&](std::size_t& wanted) { reduce(nullptr, wanted); });
  reduce(scratch.at_least(bytes), bytes);
}

}  // namespace

extern "C" void MSE_loss(float* loss, const float* X, const float* Y, int N) { mean_squared_error(loss, X, Y, N); }

extern "C" void MSE_loss_bf16(float* loss, const __nv_bfloat16* X, const __nv_bfloat16* Y, const int N) {
  mean_squared_error(loss, X, Y, N);
}
