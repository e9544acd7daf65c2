// output[i] = input[i] where input[i] >= 0, else alpha * input[i]; BF16 is widened, multiplied in FP32 and rounded once.
#include <cub/device/device_transform.cuh>
#include <cuda_bf16.h>

#include "mskb/baseline.hpp"

namespace {

struct LeakyRelu {
  float alpha;
  __device__ float operator()(float x) const { return x >= 0.0f ? x : alpha * x; }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 x) const { return __float2bfloat16((*this)(__bfloat162float(x))); }
};

}  // namespace

extern "C" void leaky_RELU(float* output, const float* input, const int N, float alpha) {
  MSKB_CALL(cub::DeviceTransform::Transform(input, output, N, LeakyRelu{alpha}));
}

extern "C" void leaky_RELU_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const int N, float alpha) {
  MSKB_CALL(cub::DeviceTransform::Transform(input, output, N, LeakyRelu{alpha}));
}
