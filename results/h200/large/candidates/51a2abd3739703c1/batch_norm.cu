// y[n][c] = gamma[c] * (x[n][c] - mean_c) / sqrt(variance_c + epsilon) + beta[c], statistics over the rows n of an
// N x C matrix, biased variance: the library's training pass without running or saved statistics.
// It can be told of the matrix as N images of C channels or of C activations, or as one image of N pixels whose
// channels are innermost. Which one runs is found once per size, in the first call, by timing them. Its persistent mode
// is left out, as it may overflow. BF16 gamma and beta are widened to FP32 inside the call, as the library wants them.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <tuple>

#include "mskb/baseline.hpp"

namespace {

using Size = std::tuple<int, int, cudnnDataType_t>;  // N, C, type

struct Way {
  cudnnBatchNormMode_t mode = CUDNN_BATCHNORM_SPATIAL;
  cudnnTensorDescriptor_t matrix = nullptr;
  cudnnTensorDescriptor_t features = nullptr;
};

struct Plan {
  Way ways[4];
  const Way* fastest = nullptr;
};

struct Data {
  const void* input;
  const float* gamma;
  const float* beta;
  void* output;
  double epsilon;
};

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

Plan& plan_for(const Size& size) {
  static mskb::PerDevice<Plan, Size> plans;
  return plans.get(size, [&size](Plan& made) {
    const auto [rows, columns, type] = size;
    for (Way& way : made.ways) {
      MSKB_CALL(cudnnCreateTensorDescriptor(&way.matrix));
      MSKB_CALL(cudnnCreateTensorDescriptor(&way.features));
    }
    made.ways[0].mode = CUDNN_BATCHNORM_PER_ACTIVATION;
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[0].matrix, CUDNN_TENSOR_NCHW, type, rows, columns, 1, 1));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[1].matrix, CUDNN_TENSOR_NCHW, type, rows, columns, 1, 1));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[2].matrix, CUDNN_TENSOR_NHWC, type, rows, columns, 1, 1));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.ways[3].matrix, CUDNN_TENSOR_NHWC, type, 1, columns, rows, 1));
    for (Way& way : made.ways) MSKB_CALL(cudnnDeriveBNTensorDescriptor(way.features, way.matrix, way.mode));
  });
}

cudnnStatus_t run(const Way& way, const Data& data) {
  const float one = 1.0f;
  const float zero = 0.0f;
  return cudnnBatchNormalizationForwardTraining(handle(), way.mode, &one, &zero, way.matrix, data.input, way.matrix,
                                                data.output, way.features, data.gamma, data.beta, 1.0, nullptr, nullptr,
                                                data.epsilon, nullptr, nullptr);
}

// Runs each way once unmeasured and then three times, each of which writes the whole output. What is kept depends on
// sizes and device only. The library refuses a layout that a mode does not have as a bad parameter, so any refusal
// passes a way over; the last one is reported if none is left.
void try_ways(Plan& plan, const Data& data) {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  MSKB_CALL(cudaEventCreate(&start));
  MSKB_CALL(cudaEventCreate(&stop));
  float best = 0.0f;
  cudnnStatus_t refusal = CUDNN_STATUS_SUCCESS;
  for (const Way& way : plan.ways) {
    const cudnnStatus_t status = run(way, data);
    if (status != CUDNN_STATUS_SUCCESS) {
      refusal = status;
      continue;
    }
    float shortest = 0.0f;
    for (int trial = 0; trial < 3; ++trial) {
      float milliseconds = 0.0f;
      MSKB_CALL(cudaEventRecord(start));
      MSKB_CALL(run(way, data));
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
  if (plan.fastest == nullptr) mskb::check_support(refusal, "cudnnBatchNormalizationForwardTraining", __FILE__, __LINE__);
}

void normalize(const Data& data, const Size& size) {
  Plan& plan = plan_for(size);
  if (plan.fastest == nullptr) try_ways(plan, data);
  MSKB_CALL(run(*plan.fastest, data));
}

__global__ void widen(const __nv_bfloat16* gamma, const __nv_bfloat16* beta, float* wide_gamma, float* wide_beta,
                      int C) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < C) {
    wide_gamma[c] = __bfloat162float(gamma[c]);
    wide_beta[c] = __bfloat162float(beta[c]);
  }
}

}  // namespace

extern "C" void batch_norm(float* output, const float* input, const float* gamma, const float* beta,
                           const float epsilon, const int N, const int C) {
  normalize({input, gamma, beta, output, epsilon}, Size{N, C, CUDNN_DATA_FLOAT});
}

extern "C" void batch_norm_bf16(__nv_bfloat16* output, const __nv_bfloat16* input, const __nv_bfloat16* gamma,
                                const __nv_bfloat16* beta, const float epsilon, const int N, const int C) {
  static mskb::Workspace gamma_memory, beta_memory;
  float* wide_gamma = static_cast<float*>(gamma_memory.at_least(sizeof(float) * C));
  float* wide_beta = static_cast<float*>(beta_memory.at_least(sizeof(float) * C));
  widen<<<(C + 255) / 256, 256>>>(gamma, beta, wide_gamma, wide_beta, C);
  MSKB_CALL(cudaGetLastError());
  normalize({input, wide_gamma, wide_beta, output, epsilon}, Size{N, C, CUDNN_DATA_BFLOAT16});
}
