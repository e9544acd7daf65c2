// y = A * x, A [M,N] row-major. cuBLAS is column-major: it reads A as A^T and is asked for the transposed operation.
// FP32: cublasSgemv. BF16: a product with one column, because the library's gemv has no BF16.
// The order of summation is the library's own.
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include "mskb/baseline.hpp"

namespace {

cublasHandle_t handle() {
  static mskb::PerDevice<cublasHandle_t> handles;
  return handles.get(0, [](cublasHandle_t& made) {
    MSKB_CALL(cublasCreate(&made));
    MSKB_CALL(cublasSetMathMode(made, static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH |
                                                                CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)));
  });
}

}  // namespace

extern "C" void matrix_vector_mul(const float* A, const float* x, float* y, int M, int N) {
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_CALL(cublasSgemv(handle(), CUBLAS_OP_T, N, M, &one, A, N, x, 1, &zero, y, 1));
}

extern "C" void matrix_vector_mul_bf16(const __nv_bfloat16* A, const __nv_bfloat16* x, __nv_bfloat16* y, int M, int N) {
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_CALL(cublasGemmEx(handle(), CUBLAS_OP_T, CUBLAS_OP_N, M, 1, N, &one, A, CUDA_R_16BF, N, x, CUDA_R_16BF, N, &zero,
                         y, CUDA_R_16BF, M, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}
