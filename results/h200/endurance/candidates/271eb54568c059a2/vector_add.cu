// C[i] = A[i] + B[i], as one tensor operation over packed 1 x 1 x 1 x N tensors, added in FP32.
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

cudnnOpTensorDescriptor_t addition() {
  static mskb::PerDevice<cudnnOpTensorDescriptor_t> operations;
  return operations.get(0, [](cudnnOpTensorDescriptor_t& made) {
    MSKB_CALL(cudnnCreateOpTensorDescriptor(&made));
    MSKB_CALL(cudnnSetOpTensorDescriptor(made, CUDNN_OP_TENSOR_ADD, CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN));
  });
}

void add(const void* A, const void* B, void* C, int N, cudnnDataType_t type) {
  const float one = 1.0f;
  const float zero = 0.0f;
  const cudnnTensorDescriptor_t tensor = vector_of(N, type);
  MSKB_SUPPORTED(cudnnOpTensor(handle(), addition(), &one, tensor, A, &one, tensor, B, &zero, tensor, C));
}

}  // namespace

extern "C" void vector_add(const float* A, const float* B, float* C, int N) { add(A, B, C, N, CUDNN_DATA_FLOAT); }

extern "C" void vector_add_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int N) {
  add(A, B, C, N, CUDNN_DATA_BFLOAT16);
}
