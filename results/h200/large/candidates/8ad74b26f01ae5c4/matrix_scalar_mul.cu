// B[i,j] = scalar * A[i,j]. cuBLAS is column-major: it sees the row-major matrices as N x M, which changes nothing here.
// FP32: cublasSgeam without its second matrix. BF16: cublasLtMatrixTransform, because cublasScalEx works in place and would
// need a copy first; the scalar is FP32 to it.
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
cublasLtMatrixTransformDesc_t transform() {
  static mskb::PerDevice<cublasLtMatrixTransformDesc_t> transforms;
  return transforms.get(0, [](cublasLtMatrixTransformDesc_t& made) {
    MSKB_CALL(cublasLtMatrixTransformDescCreate(&made, CUDA_R_32F));
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

extern "C" void matrix_scalar_mul(const float* A, float* B, float scalar, int M, int N) {
  const float zero = 0.0f;
  MSKB_CALL(cublasSgeam(handle(), CUBLAS_OP_N, CUBLAS_OP_N, N, M, &scalar, A, N, &zero, B, N, B, N));
}

extern "C" void matrix_scalar_mul_bf16(const __nv_bfloat16* A, __nv_bfloat16* B, __nv_bfloat16 scalar, int M, int N) {
  const float wide_scalar = __bfloat162float(scalar);
  const float zero = 0.0f;
  const cublasLtMatrixLayout_t layout = layout_of(N, M);
  MSKB_SUPPORTED(cublasLtMatrixTransform(lt_handle(), transform(), &wide_scalar, A, layout, &zero, nullptr, nullptr, B,
                                         layout, nullptr));
}
