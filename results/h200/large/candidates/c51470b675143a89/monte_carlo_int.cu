// result = (b - a) / N * sum_i y_samples[i]: one device-wide reduction of the scaled samples, summed in FP32.
// Overwrites the scalar where the FP32 original adds to it; the same thing, since the caller hands it in zeroed.
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <cuda_bf16.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "mskb/baseline.hpp"

namespace {

struct Scale {
  float factor;

  __host__ __device__ float operator()(float x) const { return factor * x; }
  __host__ __device__ float operator()(__nv_bfloat16 x) const { return factor * __bfloat162float(x); }
};

struct Round {
  __host__ __device__ __nv_bfloat16 operator()(float x) const { return __float2bfloat16(x); }
};

template <class Sample, class Output>
void integrate(const Sample* y_samples, Output result, float a, float b, int N) {
  static mskb::PerDevice<std::size_t> scratch_bytes;
  static mskb::Workspace scratch;
  const Scale scale{(b - a) / static_cast<float>(N)};
  const auto reduce = [&](void* memory, std::size_t& bytes) {
    MSKB_CALL(
        cub::DeviceReduce::TransformReduce(memory, bytes, y_samples, result, N, cuda::std::plus<>{}, scale, 0.0f));
  };
  std::size_t& bytes = scratch_bytes.get(N, [&](std::size_t& wanted) { reduce(nullptr, wanted); });
  reduce(scratch.at_least(bytes), bytes);
}

}  // namespace

extern "C" void monte_carlo_int(const float* y_samples, float* result, float a, float b, int N) {
  integrate(y_samples, result, a, b, N);
}

extern "C" void monte_carlo_int_bf16(const __nv_bfloat16* y_samples, __nv_bfloat16* result, float a, float b, int N) {
  integrate(y_samples, thrust::make_transform_output_iterator(result, Round{}), a, b, N);
}
