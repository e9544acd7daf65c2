// loss[i] = max(0, 1 - y * predictions[i]) with y = 1 where targets[i] is 1, else -1; BF16 is widened, evaluated in FP32 and
// rounded once.
#include <cub/device/device_transform.cuh>
#include <cuda_bf16.h>

#include <cuda/std/tuple>

#include "mskb/baseline.hpp"

namespace {

struct Hinge {
  __device__ float operator()(float prediction, int target) const {
    return fmaxf(0.0f, target == 1 ? 1.0f - prediction : 1.0f + prediction);
  }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 prediction, int target) const {
    return __float2bfloat16((*this)(__bfloat162float(prediction), target));
  }
};

}  // namespace

extern "C" void hinge_loss(float* loss, const float* predictions, const int* targets, int N) {
  MSKB_CALL(cub::DeviceTransform::Transform(cuda::std::make_tuple(predictions, targets), loss, N, Hinge{}));
}

extern "C" void hinge_loss_bf16(__nv_bfloat16* loss, const __nv_bfloat16* predictions, const int* targets, int N) {
  MSKB_CALL(cub::DeviceTransform::Transform(cuda::std::make_tuple(predictions, targets), loss, N, Hinge{}));
}
