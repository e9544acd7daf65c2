// output[i] = g / (1 + exp(-beta * g)) * v with g = gate_input[i], v = value_input[i]; BF16 is widened, evaluated in FP32
// and rounded once.
#include <cub/device/device_transform.cuh>
#include <cuda_bf16.h>

#include <cuda/std/tuple>

#include "mskb/baseline.hpp"

namespace {

struct GatedSwish {
  float beta;
  __device__ float operator()(float g, float v) const { return g / (1.0f + __expf(-beta * g)) * v; }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 g, __nv_bfloat16 v) const {
    return __float2bfloat16((*this)(__bfloat162float(g), __bfloat162float(v)));
  }
};

}  // namespace

extern "C" void SwiGLU(float* output, const float* gate_input, const float* value_input, float beta, int N) {
  MSKB_CALL(cub::DeviceTransform::Transform(cuda::std::make_tuple(gate_input, value_input), output, N, GatedSwish{beta}));
}

extern "C" void SwiGLU_bf16(__nv_bfloat16* output, const __nv_bfloat16* gate_input, const __nv_bfloat16* value_input,
                            float beta, int N) {
  MSKB_CALL(cub::DeviceTransform::Transform(cuda::std::make_tuple(gate_input, value_input), output, N, GatedSwish{beta}));
}
