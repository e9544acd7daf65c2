// B = A^P with A, B [N,N], row-major. The library has no power: products along the bits of P from the highest down, a
// square for each bit below it and a factor A for each one that is set, at most 2 log2(P) products instead of P - 1.
// cuBLAS is column-major and reads A as A^T; since (A^T)^P = (A^P)^T, it can be asked for the power as it stands.
// BF16: intermediate powers are stored in BF16 as the original's are, but they are other powers.
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <utility>

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

// to = left * right, none of them the same memory as `to`.
void multiply(const void* left, const void* right, void* to, cudaDataType type, int N) {
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_CALL(cublasGemmEx(handle(), CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, left, type, N, right, type, N, &zero, to,
                         type, N, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

// P >= 2. Products alternate between B and the workspace so that the last one writes B.
void raise_to_power(const void* A, void* B, cudaDataType type, std::size_t element_bytes, int N, int P) {
  static mskb::Workspace workspace;
  int highest = 0, products = 0;
  while (P >> (highest + 1) != 0) ++highest;
  for (int bit = 0; bit < highest; ++bit) products += 1 + (P >> bit & 1);

  void* to = B;
  void* other = workspace.at_least(element_bytes * N * N);
  if (products % 2 == 0) std::swap(to, other);
  const void* power = A;
  const auto times = [&](const void* factor) {
    multiply(power, factor, to, type, N);
    power = to;
    std::swap(to, other);
  };
  for (int bit = highest - 1; bit >= 0; --bit) {
    times(power);
    if (P >> bit & 1) times(A);
  }
}

}  // namespace

extern "C" void matrix_power(const float* A, float* B, int N, int P) {
  raise_to_power(A, B, CUDA_R_32F, sizeof(float), N, P);
}

extern "C" void matrix_power_bf16(const __nv_bfloat16* A, __nv_bfloat16* B, int N, int P) {
  raise_to_power(A, B, CUDA_R_16BF, sizeof(__nv_bfloat16), N, P);
}
