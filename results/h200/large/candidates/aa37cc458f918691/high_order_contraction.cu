// C[a,b,c] = sum over x, y of A[a,x,b,y] * B[x,c,y], all row-major.
// No cuBLAS call takes the two strides of (x, y), so A is brought into [a,b,x,y] and B into [c,x,y], inside the call,
// and C [a b, c] is one product with K = x y. Where x or the mode behind it has one element, the layout is right
// already.
// The library is column-major: it is asked for C^T = B' * A'^T, whose operands it reads as B'^T and A'^T.
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <cstdint>

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

// to[o][m][x] = from[o][x][m] for runs of `length` units each; one thread per unit.
template <class Unit>
__global__ void exchange_kernel(const Unit* from, Unit* to, unsigned xs, unsigned ms, unsigned length,
                                std::int64_t units) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= units) return;
  const unsigned index = static_cast<unsigned>(i);
  const unsigned part = index % length;
  const unsigned x = index / length % xs;
  const unsigned m = index / length / xs % ms;
  const unsigned o = index / length / xs / ms;
  to[i] = from[((std::int64_t{o} * xs + x) * ms + m) * length + part];
}

template <class Unit>
void exchange(const void* from, void* to, int xs, int ms, std::int64_t length, std::int64_t units) {
  constexpr int threads = 256;
  exchange_kernel<<<static_cast<unsigned>((units + threads - 1) / threads), threads>>>(
      static_cast<const Unit*>(from), static_cast<Unit*>(to), xs, ms, static_cast<unsigned>(length), units);
  MSKB_CALL(cudaGetLastError());
}

// from [outer, xs, ms, ys] with its two middle modes exchanged: [outer, ms, xs, ys]. Runs of ys move 16 bytes at a time
// where they can.
template <class Real>
const Real* exchanged(mskb::Workspace& memory, const Real* from, int outer, int xs, int ms, int ys) {
  if (xs == 1 || ms == 1) return from;
  const std::int64_t elements = std::int64_t{outer} * xs * ms * ys;
  void* to = memory.at_least(sizeof(Real) * elements);
  const std::int64_t run = sizeof(Real) * std::int64_t{ys};
  if (run % sizeof(uint4) == 0 && reinterpret_cast<std::uintptr_t>(from) % sizeof(uint4) == 0) {
    exchange<uint4>(from, to, xs, ms, run / sizeof(uint4), elements * sizeof(Real) / sizeof(uint4));
  } else {
    exchange<Real>(from, to, xs, ms, ys, elements);
  }
  return static_cast<const Real*>(to);
}

template <class Real>
void contract(const Real* A, const Real* B, Real* C, cudaDataType type, int a, int b, int c, int x, int y) {
  static mskb::Workspace memory_a, memory_b;
  const Real* left = exchanged(memory_a, A, a, x, b, y);
  const Real* right = exchanged(memory_b, B, 1, x, c, y);
  const int K = x * y;
  const float one = 1.0f;
  const float zero = 0.0f;
  MSKB_CALL(cublasGemmEx(handle(), CUBLAS_OP_T, CUBLAS_OP_N, c, a * b, K, &one, right, type, K, left, type, K, &zero, C,
                         type, c, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

}  // namespace

extern "C" void high_order_contraction(const float* A, const float* B, float* C, int a_dim, int b_dim, int c_dim,
                                       int x_dim, int y_dim) {
  contract(A, B, C, CUDA_R_32F, a_dim, b_dim, c_dim, x_dim, y_dim);
}

extern "C" void high_order_contraction_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int a_dim,
                                            int b_dim, int c_dim, int x_dim, int y_dim) {
  contract(A, B, C, CUDA_R_16BF, a_dim, b_dim, c_dim, x_dim, y_dim);
}
