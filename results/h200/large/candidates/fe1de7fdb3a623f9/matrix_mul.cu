// C = A * B with A [M,K], B [K,N], C [M,N], row-major.
// cuBLAS is column-major: it reads a row-major matrix as its transpose, so the product is asked for as C^T = B^T * A^T.
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

// A [M,K], B [K,N], C [M,N], row-major, all of one type.
void multiply(const void* A, const void* B, void* C, cudaDataType type, int M, int N, int K) {
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_CALL(cublasGemmEx(handle(), CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, B, type, N, A, type, K, &zero, C, type, N,
                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

}  // namespace

extern "C" void matrix_mul(const float* A, const float* B, float* C, int M, int N, int K) {
  multiply(A, B, C, CUDA_R_32F, M, N, K);
}

extern "C" void matrix_mul_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  multiply(A, B, C, CUDA_R_16BF, M, N, K);
}
