// S = Q K^T / sqrt(dim_qk), P = softmax of each row of S, Y = P V, all row-major.
// Both products are the library's; the softmax between them, which it does not have, is the kernel below. S is FP32 in
// both precisions; P is rounded to the type of V, because the library multiplies matrices of one type.
// cuBLAS is column-major: it reads a row-major matrix as its transpose, so the products are asked for as
// S^T = K Q^T and Y^T = V^T P^T.
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <cfloat>
#include <cmath>

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

constexpr int row_threads = 256;

// `combine` over the values of all threads of a block; every thread gets the result.
template <class Combine>
__device__ float over_block(float value, Combine combine) {
  __shared__ float of_warp[row_threads / 32];
  for (int width = 16; width > 0; width /= 2) value = combine(value, __shfl_xor_sync(0xffffffffu, value, width));
  __syncthreads();  // what an earlier call left has been read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < row_threads / 32; ++warp) value = combine(value, of_warp[warp]);
  return value;
}

// One block per row. FP32 probabilities may lie where the scores are.
template <class Real>
__global__ void softmax_rows(const float* scores, Real* probabilities, int columns) {
  const float* row = scores + static_cast<std::size_t>(blockIdx.x) * columns;
  Real* out = probabilities + static_cast<std::size_t>(blockIdx.x) * columns;
  float top = -FLT_MAX;
  for (int j = threadIdx.x; j < columns; j += row_threads) top = fmaxf(top, row[j]);
  top = over_block(top, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0.0f;
  for (int j = threadIdx.x; j < columns; j += row_threads) sum += expf(row[j] - top);
  const float share = 1.0f / over_block(sum, [](float a, float b) { return a + b; });
  for (int j = threadIdx.x; j < columns; j += row_threads) out[j] = static_cast<Real>(expf(row[j] - top) * share);
}

template <class Real>
void attend(Real* Y, const Real* Q, const Real* K, const Real* V, cudaDataType type, int q_seq_len, int kv_seq_len,
            int dim_qk, int dim_v) {
  static mskb::Workspace score_memory;
  static mskb::Workspace probability_memory;
  const std::size_t count = static_cast<std::size_t>(q_seq_len) * kv_seq_len;
  float* S = static_cast<float*>(score_memory.at_least(sizeof(float) * count));
  void* P = type == CUDA_R_32F ? S : probability_memory.at_least(sizeof(Real) * count);
  const float scale = 1.0f / std::sqrt(static_cast<float>(dim_qk));
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_CALL(cublasGemmEx(handle(), CUBLAS_OP_T, CUBLAS_OP_N, kv_seq_len, q_seq_len, dim_qk, &scale, K, type, dim_qk, Q,
                         type, dim_qk, &zero, S, CUDA_R_32F, kv_seq_len, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  softmax_rows<<<q_seq_len, row_threads>>>(S, static_cast<Real*>(P), kv_seq_len);
  MSKB_CALL(cudaGetLastError());
  MSKB_CALL(cublasGemmEx(handle(), CUBLAS_OP_N, CUBLAS_OP_N, dim_v, q_seq_len, kv_seq_len, &one, V, type, dim_v, P,
                         type, kv_seq_len, &zero, Y, type, dim_v, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

}  // namespace

extern "C" void softmax_attention(float* Y, const float* Q, const float* K, const float* V, int q_seq_len,
                                  int kv_seq_len, int dim_qk, int dim_v) {
  attend(Y, Q, K, V, CUDA_R_32F, q_seq_len, kv_seq_len, dim_qk, dim_v);
}

extern "C" void softmax_attention_bf16(__nv_bfloat16* Y, const __nv_bfloat16* Q, const __nv_bfloat16* K,
                                       const __nv_bfloat16* V, int q_seq_len, int kv_seq_len, int dim_qk, int dim_v) {
  attend(Y, Q, K, V, CUDA_R_16BF, q_seq_len, kv_seq_len, dim_qk, dim_v);
}
