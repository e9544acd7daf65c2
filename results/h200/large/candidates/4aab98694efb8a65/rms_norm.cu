// output[i] = weight[i] * input[i] / r + bias[i], r = sqrt(sum_j input[j]^2 / N + epsilon): a device-wide reduction that
// stores r, and a transformation that reads it. Sums are in FP32; BF16 is widened, evaluated in FP32 and rounded once.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda_bf16.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "mskb/baseline.hpp"

namespace {

template <class Real>
struct Square {
  __device__ float operator()(Real x) const { return static_cast<float>(x) * static_cast<float>(x); }
};

struct Root {
  float count;
  float epsilon;
  __host__ __device__ float operator()(float sum) const { return sqrtf(sum / count + epsilon); }
};

template <class Real>
struct Normalize {
  const float* root;
  __device__ Real operator()(Real x, Real weight, Real bias) const {
    return static_cast<Real>(static_cast<float>(weight) * (static_cast<float>(x) / *root) + static_cast<float>(bias));
  }
};

template <class Real>
void normalize(Real* output, const Real* input, const Real* weight, const Real* bias, float epsilon, int N) {
  static mskb::PerDevice<std::size_t> scratch_bytes;
  static mskb::Workspace scratch, root_memory;
  float* root = static_cast<float*>(root_memory.at_least(sizeof(float)));
  const auto store = thrust::make_transform_output_iterator(root, Root{static_cast<float>(N), epsilon});
  const auto reduce = [&](void* memory, std::size_t& bytes) {
    MSKB_CALL(cub::DeviceReduce::TransformReduce(memory, bytes, input, store, N, cuda::std::plus<>{}, Square<Real>{},
                                                 0.0f));
  };
  std::size_t& bytes = scratch_bytes.get(N, [&](std::size_t& wanted) { reduce(nullptr, wanted); });
  reduce(scratch.at_least(bytes), bytes);
  MSKB_CALL(cub::DeviceTransform::TransformStableArgumentAddresses(cuda::std::make_tuple(input, weight, bias), output, N,
                                                                   Normalize<Real>{root}));
}

}  // namespace

extern "C" void rms_norm(float* output, const float* input, const float* weight, const float* bias, const float epsilon,
                         const int N) {
  normalize(output, input, weight, bias, epsilon, N);
}

extern "C" void rms_norm_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* weight,
                              const __nv_bfloat16* bias, const float epsilon, const int N) {
  normalize(output, input, weight, bias, epsilon, N);
}
