// B[j,i] = A[i,j], as the change of one image with M channels of N points from planar to interleaved channels.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <tuple>

#include "mskb/baseline.hpp"

namespace {

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

cudnnTensorDescriptor_t image_of(int M, int N, cudnnDataType_t type, cudnnTensorFormat_t format) {
  static mskb::PerDevice<cudnnTensorDescriptor_t, std::tuple<int, int, int, int>> tensors;
  return tensors.get({M, N, type, format}, [M, N, type, format](cudnnTensorDescriptor_t& made) {
    MSKB_CALL(cudnnCreateTensorDescriptor(&made));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made, format, type, 1, M, 1, N));
  });
}

void transpose(const void* A, void* B, int M, int N, cudnnDataType_t type) {
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_SUPPORTED(cudnnTransformTensor(handle(), &one, image_of(M, N, type, CUDNN_TENSOR_NCHW), A, &zero,
                                      image_of(M, N, type, CUDNN_TENSOR_NHWC), B));
}

}  // namespace

extern "C" void matrix_transpose(const float* A, float* B, int M, int N) { transpose(A, B, M, N, CUDNN_DATA_FLOAT); }

extern "C" void matrix_transpose_bf16(const __nv_bfloat16* A, __nv_bfloat16* B, int M, int N) {
  transpose(A, B, M, N, CUDNN_DATA_BFLOAT16);
}
