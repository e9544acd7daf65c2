// C[i] = A[i] + B[i], as the sum of two matrices of 1024 rows where that divides N, else of one column.
// FP32: cublasSgeam. BF16: cublasLtMatrixTransform, because cublasAxpyEx adds in place and would need a copy first.
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

int rows_of(int N) { return N % 1024 == 0 ? 1024 : N; }

}  // namespace

extern "C" void vector_add(const float* A, const float* B, float* C, int N) {
  const float one = 1.0f;
  const int rows = rows_of(N);
  MSKB_CALL(cublasSgeam(handle(), CUBLAS_OP_N, CUBLAS_OP_N, rows, N / rows, &one, A, rows, &one, B, rows, C, rows));
}

extern "C" void vector_add_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int N) {
  const float one = 1.0f;
  const int rows = rows_of(N);
  const cublasLtMatrixLayout_t layout = layout_of(rows, N / rows);
  MSKB_SUPPORTED(cublasLtMatrixTransform(lt_handle(), transform(), &one, A, layout, &one, B, layout, C, layout, nullptr));
}
