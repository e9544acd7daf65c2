// out[i][j] = softmax of row i of an N x C matrix.
// The library can be told of it in three ways: rows as images of C channels or of C columns, normalised over the whole
// image or over its channels. Which one runs is found once per size, in the first call, by timing them.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <tuple>

#include "mskb/baseline.hpp"

namespace {

using Size = std::tuple<int, int, cudnnDataType_t>;  // N, C, type

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
    const auto [rows, columns, type] = size;
    for (Way& way : made.ways) MSKB_CALL(cudnnCreateTensorDescriptor(&way.matrix));
    made.ways[1].mode = CUDNN_SOFTMAX_MODE_CHANNEL;
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[0].matrix, CUDNN_TENSOR_NCHW, type, rows, columns, 1, 1));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[1].matrix, CUDNN_TENSOR_NCHW, type, rows, columns, 1, 1));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[2].matrix, CUDNN_TENSOR_NCHW, type, rows, 1, 1, columns));
  });
}

// False if the library refuses this way.
bool run(const Way& way, const void* input, void* out) {
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
void try_ways(Plan& plan, const void* input, void* out) {
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

void apply(void* out, const void* input, const Size& size) {
  Plan& plan = plan_for(size);
  if (plan.fastest == nullptr) try_ways(plan, input, out);
  run(*plan.fastest, input, out);
}

}  // namespace

extern "C" void softmax(float* out, const float* input, int N, int C) {
  apply(out, input, Size{N, C, CUDNN_DATA_FLOAT});
}

extern "C" void softmax_bf16(__nv_bfloat16* out, const __nv_bfloat16* input, int N, int C) {
  apply(out, input, Size{N, C, CUDNN_DATA_BFLOAT16});
}
