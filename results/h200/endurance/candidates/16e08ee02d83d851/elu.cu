// output[i] = input[i] where input[i] >= 0, else alpha * (exp(input[i]) - 1), as one activation over a packed
// 1 x 1 x 1 x N tensor. BF16 is the library's own.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <utility>

#include "mskb/baseline.hpp"

namespace {

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

cudnnTensorDescriptor_t vector_of(int N, cudnnDataType_t type) {
  static mskb::PerDevice<cudnnTensorDescriptor_t, std::pair<int, int>> tensors;
  return tensors.get({N, type}, [N, type](cudnnTensorDescriptor_t& made) {
    MSKB_CALL(cudnnCreateTensorDescriptor(&made));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made, CUDNN_TENSOR_NCHW, type, 1, 1, 1, N));
  });
}

cudnnActivationDescriptor_t elu_with(float alpha) {
  static mskb::PerDevice<cudnnActivationDescriptor_t, float> activations;
  return activations.get(alpha, [alpha](cudnnActivationDescriptor_t& made) {
    MSKB_CALL(cudnnCreateActivationDescriptor(&made));
    MSKB_CALL(cudnnSetActivationDescriptor(made, CUDNN_ACTIVATION_ELU, CUDNN_NOT_PROPAGATE_NAN, alpha));
  });
}

void apply(const void* input, void* output, int N, float alpha, cudnnDataType_t type) {
  const float one = 1.0f;
  const float zero = 0.0f;
  const cudnnTensorDescriptor_t tensor = vector_of(N, type);
  MSKB_SUPPORTED(cudnnActivationForward(handle(), elu_with(alpha), &one, tensor, input, &zero, tensor, output));
}

}  // namespace

extern "C" void elu(float* output, const float* input, const int N, float alpha) {
  apply(input, output, N, alpha, CUDNN_DATA_FLOAT);
}

extern "C" void elu_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const int N, float alpha) {
  apply(input, output, N, alpha, CUDNN_DATA_BFLOAT16);
}
