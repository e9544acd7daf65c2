// B[i,j] = scalar * A[i,j], as a transformation between two equal layouts, which scales what it copies. The scalar is FP32
// to the library in both precisions.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <tuple>

#include "mskb/baseline.hpp"

namespace {

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

cudnnTensorDescriptor_t matrix_of(int M, int N, cudnnDataType_t type) {
  static mskb::PerDevice<cudnnTensorDescriptor_t, std::tuple<int, int, int>> tensors;
  return tensors.get({M, N, type}, [M, N, type](cudnnTensorDescriptor_t& made) {
    MSKB_CALL(cudnnCreateTensorDescriptor(&made));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made, CUDNN_TENSOR_NCHW, type, 1, 1, M, N));
  });
}

void scale(const void* A, void* B, float scalar, int M, int N, cudnnDataType_t type) {
  const float zero = 0.0f;
  const cudnnTensorDescriptor_t matrix = matrix_of(M, N, type);
  MSKB_SUPPORTED(cudnnTransformTensor(handle(), &scalar, matrix, A, &zero, matrix, B));
}

}  // namespace

extern "C" void matrix_scalar_mul(const float* A, float* B, float scalar, int M, int N) {
  scale(A, B, scalar, M, N, CUDNN_DATA_FLOAT);
}

extern "C" void matrix_scalar_mul_bf16(const __nv_bfloat16* A, __nv_bfloat16* B, __nv_bfloat16 scalar, int M, int N) {
  scale(A, B, __bfloat162float(scalar), M, N, CUDNN_DATA_BFLOAT16);
}
