// Max pooling of NCHW images with a square window. Padding never wins, and NaN is not propagated, as in the original.
// BF16 is the library's own where it has it, else through FP32, which changes no value: the result is one of the
// inputs.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <array>
#include <cstdint>

#include "mskb/baseline.hpp"

namespace {

struct Plan {
  cudnnTensorDescriptor_t input = nullptr;
  cudnnPoolingDescriptor_t pooling = nullptr;
  cudnnTensorDescriptor_t output = nullptr;
};

struct Shape {
  int N, C, H, W, kernel_size, stride, padding;

  int pooled(int length) const { return (length + 2 * padding - kernel_size) / stride + 1; }
  std::int64_t inputs() const { return std::int64_t{N} * C * H * W; }
  std::int64_t outputs() const { return std::int64_t{N} * C * pooled(H) * pooled(W); }
};

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

const Plan& plan_for(const Shape& s, cudnnDataType_t type) {
  static mskb::PerDevice<Plan, std::array<int, 8>> plans;
  return plans.get({s.N, s.C, s.H, s.W, s.kernel_size, s.stride, s.padding, type}, [&](Plan& made) {
    MSKB_CALL(cudnnCreateTensorDescriptor(&made.input));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.input, CUDNN_TENSOR_NCHW, type, s.N, s.C, s.H, s.W));
    MSKB_CALL(cudnnCreatePoolingDescriptor(&made.pooling));
    MSKB_SUPPORTED(cudnnSetPooling2dDescriptor(made.pooling, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, s.kernel_size,
                                               s.kernel_size, s.padding, s.padding, s.stride, s.stride));
    MSKB_CALL(cudnnCreateTensorDescriptor(&made.output));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.output, CUDNN_TENSOR_NCHW, type, s.N, s.C, s.pooled(s.H), s.pooled(s.W)));
  });
}

cudnnStatus_t pool(const void* input, void* output, const Shape& shape, cudnnDataType_t type) {
  const Plan& plan = plan_for(shape, type);
  const float one = 1.0f;
  const float zero = 0.0f;
  return cudnnPoolingForward(handle(), plan.pooling, &one, plan.input, input, &zero, plan.output, output);
}

template <class To, class From>
__global__ void convert_kernel(const From* from, To* to, std::int64_t count) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < count) to[i] = static_cast<To>(from[i]);
}

template <class To, class From>
void convert(const From* from, To* to, std::int64_t count) {
  constexpr int threads = 256;
  convert_kernel<<<static_cast<unsigned>((count + threads - 1) / threads), threads>>>(from, to, count);
  MSKB_CALL(cudaGetLastError());
}

}  // namespace

extern "C" void max_pooling_2d(const float* input, float* output, int N, int C, int H, int W, int kernel_size,
                               int stride, int padding) {
  MSKB_SUPPORTED(pool(input, output, {N, C, H, W, kernel_size, stride, padding}, CUDNN_DATA_FLOAT));
}

extern "C" void max_pooling_2d_bf16(const __nv_bfloat16* input, __nv_bfloat16* output, int N, int C, int H, int W,
                                    int kernel_size, int stride, int padding) {
  const Shape shape{N, C, H, W, kernel_size, stride, padding};
  const cudnnStatus_t native = pool(input, output, shape, CUDNN_DATA_BFLOAT16);
  if (!mskb::means_unsupported(native)) {
    mskb::check(native, "cudnnPoolingForward", __FILE__, __LINE__);
    return;
  }
  static mskb::Workspace memory_input, memory_output;
  auto* wide_input = static_cast<float*>(memory_input.at_least(sizeof(float) * shape.inputs()));
  auto* wide_output = static_cast<float*>(memory_output.at_least(sizeof(float) * shape.outputs()));
  convert(input, wide_input, shape.inputs());
  MSKB_SUPPORTED(pool(wide_input, wide_output, shape, CUDNN_DATA_FLOAT));
  convert(wide_output, output, shape.outputs());
}
