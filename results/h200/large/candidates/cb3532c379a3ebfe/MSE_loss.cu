// loss = sum_i (X[i] - Y[i])^2 / N: the difference by a copy and an axpy, its square by a dot product with itself, and
// a scaling of the one result.
// Overwrites the scalar where the original adds to it; the same thing, since the caller hands it in zeroed.
// FP32 only: the library's BF16 axpy would round the differences to BF16.
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include "mskb/baseline.hpp"

namespace {

// Scalars live on the host for an axpy's and a scaling's factor, on the device for a dot product's result.
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

extern "C" void MSE_loss(float* loss, const float* X, const float* Y, int N) {
  static mskb::Workspace memory;
  float* difference = static_cast<float*>(memory.at_least(sizeof(float) * N));
  const float minus_one = -1.0f;
  const float share = 1.0f / static_cast<float>(N);
  const cublasHandle_t host_scalars = handle_for(CUBLAS_POINTER_MODE_HOST);
  MSKB_CALL(cublasScopy(host_scalars, N, X, 1, difference, 1));
  MSKB_CALL(cublasSaxpy(host_scalars, N, &minus_one, Y, 1, difference, 1));
  MSKB_CALL(cublasSdot(handle_for(CUBLAS_POINTER_MODE_DEVICE), N, difference, 1, difference, 1, loss));
  MSKB_CALL(cublasSscal(host_scalars, 1, &share, loss, 1));
}

extern "C" void MSE_loss_bf16(float*, const __nv_bfloat16*, const __nv_bfloat16*, const int) {
  throw mskb::Unsupported("cuBLAS would round the differences of BF16 vectors to BF16");
}
