// r = sum_i X[i] * Y[i], a float32 scalar in device memory.
// Overwrites the scalar where the original adds to it; the same thing, since the caller hands it in zeroed.
// FP32: cublasSdot. BF16: a 1 x N by N x 1 product, because cublasDotEx would return its result in BF16.
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include "mskb/baseline.hpp"

namespace {

// Scalars live on the host for a GEMM's alpha and beta, on the device for a dot product's result.
cublasHandle_t handle_for(cublasPointerMode_t scalars) {
  static mskb::PerDevice<cublasHandle_t> handles;
  return handles.get(scalars, [scalars](cublasHandle_t& handle) {
    MSKB_CALL(cublasCreate(&handle));
    MSKB_CALL(cublasSetPointerMode(handle, scalars));
    MSKB_CALL(cublasSetMathMode(handle, static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH |
                                                                  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)));
  });
}

}  // namespace

extern "C" void dot_product(float* loss, const float* X, const float* Y, const int N) {
  MSKB_CALL(cublasSdot(handle_for(CUBLAS_POINTER_MODE_DEVICE), N, X, 1, Y, 1, loss));
}

extern "C" void dot_product_bf16(float* loss, const __nv_bfloat16* X, const __nv_bfloat16* Y, const int N) {
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_CALL(cublasGemmEx(handle_for(CUBLAS_POINTER_MODE_HOST), CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, N, &one,
                         X, CUDA_R_16BF, N, Y, CUDA_R_16BF, N, &zero, loss, CUDA_R_32F, 1,
                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}
