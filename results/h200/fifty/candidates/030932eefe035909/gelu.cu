// output[i] = x / 2 * (1 + erf(x / sqrt(2))) with x = input[i]; BF16 is widened, evaluated in FP32 and rounded once.
#include <cub/device/device_transform.cuh>
#include <cuda_bf16.h>

#include "mskb/baseline.hpp"

namespace {

struct Gelu {
  __device__ float operator()(float x) const { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 x) const { return __float2bfloat16((*this)(__bfloat162float(x))); }
};

}  // namespace

extern "C" void gelu(float* output, const float* input, const int N) {
  MSKB_CALL(cub::DeviceTransform::Transform(input, output, N, Gelu{}));
}

extern "C" void gelu_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const int N) {
  MSKB_CALL(cub::DeviceTransform::Transform(input, output, N, Gelu{}));
}
