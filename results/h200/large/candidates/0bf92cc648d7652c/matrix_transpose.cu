// B[j,i] = A[i,j]. cuBLAS is column-major: it sees A as N x M and B as M x N, and transposes one into the other.
// FP32: cublasSgeam without its second matrix. BF16: cublasLtMatrixTransform, as there is no geam of that type.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <utility>

#include "mskb/baseline.hpp"

namespace {

cublasHandle_t handle() {
  static mskb::PerDevice<cublasHandle_t> handles;
  return handles.get(0, [](cublasHandle_t& made) {
    MSKB_CALL(cublasCreate(&made));
    MSKB_CALL(cublasSetMathMode(made, CUBLAS_DEFAULT_MATH));
  });
}

cublasLtHandle_t lt_handle() {
  static mskb::PerDevice<cublasLtHandle_t> handles;
  return handles.get(0, [](cublasLtHandle_t& made) { MSKB_CALL(cublasLtCreate(&made)); });
}

// BF16 data, scaled and added in FP32.
cublasLtMatrixTransformDesc_t transform_of(cublasOperation_t operation) {
  static mskb::PerDevice<cublasLtMatrixTransformDesc_t> transforms;
  return transforms.get(operation, [operation](cublasLtMatrixTransformDesc_t& made) {
    MSKB_CALL(cublasLtMatrixTransformDescCreate(&made, CUDA_R_32F));
    MSKB_CALL(cublasLtMatrixTransformDescSetAttribute(made, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &operation,
                                                      sizeof operation));
  });
}

// Packed and column-major.
cublasLtMatrixLayout_t layout_of(int rows, int cols) {
  static mskb::PerDevice<cublasLtMatrixLayout_t, std::pair<int, int>> layouts;
  return layouts.get({rows, cols}, [rows, cols](cublasLtMatrixLayout_t& made) {
    MSKB_CALL(cublasLtMatrixLayoutCreate(&made, CUDA_R_16BF, rows, cols, rows));
  });
}

}  // namespace

extern "C" void matrix_transpose(const float* A, float* B, int M, int N) {
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_CALL(cublasSgeam(handle(), CUBLAS_OP_T, CUBLAS_OP_N, M, N, &one, A, N, &zero, B, M, B, M));
}

extern "C" void matrix_transpose_bf16(const __nv_bfloat16* A, __nv_bfloat16* B, int M, int N) {
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_SUPPORTED(cublasLtMatrixTransform(lt_handle(), transform_of(CUBLAS_OP_T), &one, A, layout_of(N, M), &zero, nullptr,
                                         nullptr, B, layout_of(M, N), nullptr));
}
