// output[i] = input[0] + .. + input[i]: one device-wide scan.
// BF16 elements are widened as they are read, added in FP32 and rounded once as they are written.
#include <cub/device/device_scan.cuh>
#include <cuda_bf16.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include "mskb/baseline.hpp"

namespace {

struct Widen {
  __host__ __device__ float operator()(__nv_bfloat16 x) const { return __bfloat162float(x); }
};

struct Round {
  __host__ __device__ __nv_bfloat16 operator()(float x) const { return __float2bfloat16(x); }
};

template <class Input, class Output>
void scan(Input input, Output output, int N) {
  static mskb::PerDevice<std::size_t> scratch_bytes;
  static mskb::Workspace scratch;
  std::size_t& bytes = scratch_bytes.get(N, [&](std::size_t& wanted) {
    MSKB_CALL(cub::DeviceScan::InclusiveSum(nullptr, wanted, input, output, N));
  });
  MSKB_CALL(cub::DeviceScan::InclusiveSum(scratch.at_least(bytes), bytes, input, output, N));
}

}  // namespace

extern "C" void prefix_sum(float* output, const float* input, const int N) { scan(input, output, N); }

extern "C" void prefix_sum_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const int N) {
  scan(thrust::make_transform_iterator(input, Widen{}), thrust::make_transform_output_iterator(output, Round{}), N);
}
