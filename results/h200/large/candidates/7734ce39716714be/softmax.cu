// out[i][j] = softmax of row i of an N x C matrix.
// The library can be told of it in three ways: rows as images of C channels or of C columns, normalised over the whole
// image or over its channels. Which one runs is found once per size, in the first call, by timing them.
// BF16 is widened to FP32 and the result rounded by kernels of our own inside the call: given BF16 matrices, the
// library rounds more than once, and it takes only matrices of one type.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <utility>

#include "mskb/baseline.hpp"

namespace {

using Size = std::pair<int, int>;  // N, C

struct Way {
  cudnnTensorDescriptor_t matrix = nullptr;
  cudnnSoftmaxMode_t mode = CUDNN_SOFTMAX_MODE_INSTANCE;
};

struct Plan {
  Way ways[3];
  const Way* fastest = nullptr;
};

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

Plan& plan_for(const Size& size) {
  static mskb::PerDevice<Plan, Size> plans;
  return plans.get(size, [&size](Plan& made) {
    const auto [rows, columns] = size;
    constexpr cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
    constexpr cudnnDataType_t type = CUDNN_DATA_FLOAT;
    for (Way& way : made.ways) MSKB_CALL(cudnnCreateTensorDescriptor(&way.matrix));
    made.ways[1].mode = CUDNN_SOFTMAX_MODE_CHANNEL;
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[0].matrix, format, type, rows, columns, 1, 1));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[1].matrix, format, type, rows, columns, 1, 1));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[2].matrix, format, type, rows, 1, 1, columns));
  });
}

// False if the library refuses this way.
bool run(const Way& way, const float* input, float* out) {
  const float one = 1.0f;
  const float zero = 0.0f;
  const cudnnStatus_t status = cudnnSoftmaxForward(handle(), CUDNN_SOFTMAX_ACCURATE, way.mode, &one, way.matrix, input,
                                                   &zero, way.matrix, out);
  if (mskb::means_unsupported(status)) return false;
  mskb::check(status, "cudnnSoftmaxForward", __FILE__, __LINE__);
  return true;
}

// Runs each way once unmeasured and then three times, each of which writes the whole output. What is kept depends on
// sizes and device only.
void try_ways(Plan& plan, const float* input, float* out) {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  MSKB_CALL(cudaEventCreate(&start));
  MSKB_CALL(cudaEventCreate(&stop));
  float best = 0.0f;
  for (const Way& way : plan.ways) {
    if (!run(way, input, out)) continue;
    float shortest = 0.0f;
    for (int trial = 0; trial < 3; ++trial) {
      float milliseconds = 0.0f;
      MSKB_CALL(cudaEventRecord(start));
      run(way, input, out);
      MSKB_CALL(cudaEventRecord(stop));
      MSKB_CALL(cudaEventSynchronize(stop));
      MSKB_CALL(cudaEventElapsedTime(&milliseconds, start, stop));
      shortest = trial == 0 ? milliseconds : std::min(shortest, milliseconds);
    }
    if (plan.fastest == nullptr || shortest < best) {
      plan.fastest = &way;
      best = shortest;
    }
  }
  MSKB_CALL(cudaEventDestroy(start));
  MSKB_CALL(cudaEventDestroy(stop));
  if (plan.fastest == nullptr) throw mskb::Unsupported("cuDNN has no softmax of this size");
}

void apply(float* out, const float* input, int N, int C) {
  Plan& plan = plan_for(Size{N, C});
  if (plan.fastest == nullptr) try_ways(plan, input, out);
  run(*plan.fastest, input, out);
}

// Four elements a thread; the matrices are 16-byte aligned.
__global__ void widen_kernel(const __nv_bfloat16* input, float* wide, std::size_t elements) {
  std::size_t i = 4 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (i + 4 <= elements) {
    const uint2 bits = *reinterpret_cast<const uint2*>(input + i);  // BF16 is the upper half of FP32
    *reinterpret_cast<float4*>(wide + i) =
        make_float4(__uint_as_float(bits.x << 16), __uint_as_float(bits.x & 0xffff0000u),
                    __uint_as_float(bits.y << 16), __uint_as_float(bits.y & 0xffff0000u));
  } else {
    for (; i < elements; ++i) wide[i] = __bfloat162float(input[i]);
  }
}

__global__ void round_kernel(const float* wide, __nv_bfloat16* out, std::size_t elements) {
  std::size_t i = 4 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (i + 4 <= elements) {
    const float4 four = *reinterpret_cast<const float4*>(wide + i);
    alignas(8) const __nv_bfloat162 rounded[2] = {__floats2bfloat162_rn(four.x, four.y),
                                                  __floats2bfloat162_rn(four.z, four.w)};
    *reinterpret_cast<uint2*>(out + i) = *reinterpret_cast<const uint2*>(rounded);
  } else {
    for (; i < elements; ++i) out[i] = __float2bfloat16(wide[i]);
  }
}

}  // namespace

extern "C" void softmax(float* out, const float* input, int N, int C) { apply(out, input, N, C); }

extern "C" void softmax_bf16(__nv_bfloat16* out, const __nv_bfloat16* input, int N, int C) {
  static mskb::Workspace wide_input, wide_out;
  const std::size_t elements = std::size_t{1} * N * C;
  const auto blocks = static_cast<unsigned>((elements + 1023) / 1024);
  float* from = static_cast<float*>(wide_input.at_least(elements * sizeof(float)));
  float* to = static_cast<float*>(wide_out.at_least(elements * sizeof(float)));
  widen_kernel<<<blocks, 256>>>(input, from, elements);
  MSKB_CALL(cudaGetLastError());
  apply(to, from, N, C);
  round_kernel<<<blocks, 256>>>(to, out, elements);
  MSKB_CALL(cudaGetLastError());
}
