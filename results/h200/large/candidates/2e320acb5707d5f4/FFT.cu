// X[k] = sum_n x[n] * exp(-2*pi*i*k*n/N), unnormalized, N a power of two, real and imaginary parts in separate arrays.
// The library wants interleaved complex numbers: a pack and an unpack kernel around the transform are part of the call.
// BF16 is the library's CUDA_C_16BF transform (powers of two, SM 8.0 or later). Where it stores BF16 between its passes
// it rounds more than once, which an implementation with FP32 intermediates does not.
#include <cufft.h>
#include <cufftXt.h>
#include <cuda_bf16.h>

#include "mskb/baseline.hpp"

namespace {

template <class Part>
struct alignas(2 * sizeof(Part)) Complex {
  Part real;
  Part imaginary;
};

template <class Part>
constexpr cudaDataType library_type = CUDA_C_32F;
template <>
constexpr cudaDataType library_type<__nv_bfloat16> = CUDA_C_16BF;

template <class Part>
struct Plan {
  cufftHandle handle = 0;
  Complex<Part>* buffer = nullptr;  // [N], transformed in place
};

// One-dimensional, one batch. The library's own work area belongs to the plan.
template <class Part>
Plan<Part>& plan_for(int N) {
  static mskb::PerDevice<Plan<Part>> plans;
  return plans.get(N, [N](Plan<Part>& made) {
    long long length = N;
    std::size_t work_bytes = 0;
    constexpr cudaDataType type = library_type<Part>;
    MSKB_CALL(cufftCreate(&made.handle));
    MSKB_SUPPORTED(cufftXtMakePlanMany(made.handle, 1, &length, nullptr, 1, length, type, nullptr, 1, length, type, 1,
                                       &work_bytes, type));
    MSKB_CALL(cudaMalloc(&made.buffer, sizeof(Complex<Part>) * N));
  });
}

template <class Part>
__global__ void pack(const Part* real, const Part* imaginary, Complex<Part>* packed, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) packed[i] = {real[i], imaginary[i]};
}

template <class Part>
__global__ void unpack(const Complex<Part>* packed, Part* real, Part* imaginary, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  const Complex<Part> value = packed[i];
  real[i] = value.real;
  imaginary[i] = value.imaginary;
}

template <class Part>
void transform(const Part* input_real, const Part* input_img, Part* output_real, Part* output_img, int N) {
  constexpr int threads = 256;
  const int blocks = (N - 1) / threads + 1;
  const Plan<Part>& plan = plan_for<Part>(N);
  pack<<<blocks, threads>>>(input_real, input_img, plan.buffer, N);
  MSKB_CALL(cudaGetLastError());
  MSKB_CALL(cufftXtExec(plan.handle, plan.buffer, plan.buffer, CUFFT_FORWARD));
  unpack<<<blocks, threads>>>(plan.buffer, output_real, output_img, N);
  MSKB_CALL(cudaGetLastError());
}

}  // namespace

extern "C" void FFT(const float* input_real, const float* input_img, float* output_real, float* output_img, int N) {
  transform(input_real, input_img, output_real, output_img, N);
}

extern "C" void FFT_bf16(const __nv_bfloat16* input_real, const __nv_bfloat16* input_img, __nv_bfloat16* output_real,
                         __nv_bfloat16* output_img, int N) {
  transform(input_real, input_img, output_real, output_img, N);
}
