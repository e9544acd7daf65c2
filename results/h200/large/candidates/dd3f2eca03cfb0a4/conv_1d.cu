// y[i] = sum_j x[i+j] * w[j], one unpadded channel, kernel not flipped: cross-correlation of an image of one row or of
// one column, which lie alike in memory. Which of the two, and which algorithm, is found once per size, in the first
// call, by timing the library's direct and implicit-GEMM ones: its heuristic is for many channels. BF16 widens to FP32,
// convolves and rounds the result, all inside the call: the library's own BF16 kernels want many channels.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "mskb/baseline.hpp"

#if CUDNN_MAJOR < 8
#error "this baseline needs cuDNN 8 or later, for CUDNN_FMA_MATH"
#endif

namespace {

// Algorithms that want more scratch memory than this are passed over.
constexpr std::size_t scratch_limit = std::size_t{1} << 30;

using Shape = std::pair<int, int>;  // samples, taps

// The operation as an image of one row or one column.
struct Image {
  cudnnTensorDescriptor_t input = nullptr;
  cudnnFilterDescriptor_t kernel = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  cudnnTensorDescriptor_t output = nullptr;
};

struct Algorithm {
  int image;
  cudnnConvolutionFwdAlgo_t name;
  std::size_t scratch;  // bytes
  float milliseconds;
};

struct Plan {
  Image images[2];
  std::vector<Algorithm> algorithms;  // those that the library has for this size, fastest first after the trial
  bool tried = false;
};

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

void describe(Image& image, bool column, int samples, int taps) {
  const auto rows = [column](int length) { return column ? length : 1; };
  const auto cols = [column](int length) { return column ? 1 : length; };
  const int outputs = samples - taps + 1;
  MSKB_CALL(cudnnCreateTensorDescriptor(&image.input));
  MSKB_CALL(cudnnSetTensor4dDescriptor(image.input, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, rows(samples),
                                       cols(samples)));
  MSKB_CALL(cudnnCreateFilterDescriptor(&image.kernel));
  MSKB_CALL(cudnnSetFilter4dDescriptor(image.kernel, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, rows(taps),
                                       cols(taps)));
  MSKB_CALL(cudnnCreateConvolutionDescriptor(&image.convolution));
  MSKB_CALL(cudnnSetConvolution2dDescriptor(image.convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                            CUDNN_DATA_FLOAT));
  MSKB_CALL(cudnnSetConvolutionMathType(image.convolution, CUDNN_FMA_MATH));
  MSKB_CALL(cudnnCreateTensorDescriptor(&image.output));
  MSKB_CALL(cudnnSetTensor4dDescriptor(image.output, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, rows(outputs),
                                       cols(outputs)));
}

Plan& plan_for(const Shape& shape) {
  static mskb::PerDevice<Plan, Shape> plans;
  return plans.get(shape, [&shape](Plan& made) {
    for (int k = 0; k < 2; ++k) {
      const Image& image = made.images[k];
      describe(made.images[k], k == 1, shape.first, shape.second);
      for (const cudnnConvolutionFwdAlgo_t name :
           {CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
            CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM}) {
        std::size_t bytes = 0;
        const cudnnStatus_t asked = cudnnGetConvolutionForwardWorkspaceSize(
            handle(), image.input, image.kernel, image.convolution, image.output, name, &bytes);
        if (mskb::means_unsupported(asked)) continue;
        mskb::check(asked, "cudnnGetConvolutionForwardWorkspaceSize", __FILE__, __LINE__);
        if (bytes <= scratch_limit) made.algorithms.push_back({k, name, bytes, 0.0f});
      }
    }
  });
}

// False if the library refuses this algorithm after all.
bool run(const Plan& plan, const Algorithm& algorithm, const float* input, const float* kernel, float* output) {
  static mskb::Workspace scratch;
  const Image& image = plan.images[algorithm.image];
  const float one = 1.0f;
  const float zero = 0.0f;
  const cudnnStatus_t status = cudnnConvolutionForward(
      handle(), &one, image.input, input, image.kernel, kernel, image.convolution, algorithm.name,
      scratch.at_least(algorithm.scratch), algorithm.scratch, &zero, image.output, output);
  if (mskb::means_unsupported(status)) return false;
  mskb::check(status, "cudnnConvolutionForward", __FILE__, __LINE__);
  return true;
}

// Runs each algorithm twice, times the second, and leaves those that ran in the plan, fastest first. The output is
// written by every one of them. What is kept depends on sizes and device only.
void try_algorithms(Plan& plan, const float* input, const float* kernel, float* output) {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  MSKB_CALL(cudaEventCreate(&start));
  MSKB_CALL(cudaEventCreate(&stop));
  std::vector<Algorithm> ran;
  for (Algorithm algorithm : plan.algorithms) {
    if (!run(plan, algorithm, input, kernel, output)) continue;
    MSKB_CALL(cudaEventRecord(start));
    run(plan, algorithm, input, kernel, output);
    MSKB_CALL(cudaEventRecord(stop));
    MSKB_CALL(cudaEventSynchronize(stop));
    MSKB_CALL(cudaEventElapsedTime(&algorithm.milliseconds, start, stop));
    ran.push_back(algorithm);
  }
  MSKB_CALL(cudaEventDestroy(start));
  MSKB_CALL(cudaEventDestroy(stop));
  std::sort(ran.begin(), ran.end(),
            [](const Algorithm& a, const Algorithm& b) { return a.milliseconds < b.milliseconds; });
  plan.algorithms = ran;
  plan.tried = true;
}

void convolve(const float* input, const float* kernel, float* output, const Shape& shape) {
  Plan& plan = plan_for(shape);
  if (!plan.tried) try_algorithms(plan, input, kernel, output);
  if (plan.algorithms.empty() || !run(plan, plan.algorithms.front(), input, kernel, output))
    throw mskb::Unsupported("cuDNN has no FP32 algorithm for this convolution within the scratch limit");
}

// Two arrays in one launch.
__global__ void widen(const __nv_bfloat16* input, const __nv_bfloat16* kernel, float* wide_input, float* wide_kernel,
                      int samples, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < samples) wide_input[i] = __bfloat162float(input[i]);
  if (i < taps) wide_kernel[i] = __bfloat162float(kernel[i]);
}

__global__ void narrow(const float* from, __nv_bfloat16* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = __float2bfloat16(from[i]);
}

constexpr int threads = 256;
unsigned blocks_for(int count) { return (static_cast<unsigned>(count) + threads - 1) / threads; }

}  // namespace

extern "C" void conv_1d(const float* input, const float* kernel, float* output, int input_size, int kernel_size) {
  convolve(input, kernel, output, {input_size, kernel_size});
}

extern "C" void conv_1d_bf16(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output,
                             int input_size, int kernel_size) {
  static mskb::Workspace memory_input, memory_kernel, memory_output;
  const int outputs = input_size - kernel_size + 1;
  auto* wide_input = static_cast<float*>(memory_input.at_least(sizeof(float) * input_size));
  auto* wide_kernel = static_cast<float*>(memory_kernel.at_least(sizeof(float) * kernel_size));
  auto* sums = static_cast<float*>(memory_output.at_least(sizeof(float) * outputs));
  widen<<<blocks_for(input_size), threads>>>(input, kernel, wide_input, wide_kernel, input_size, kernel_size);
  MSKB_CALL(cudaGetLastError());
  convolve(wide_input, wide_kernel, sums, {input_size, kernel_size});
  narrow<<<blocks_for(outputs), threads>>>(sums, output, outputs);
  MSKB_CALL(cudaGetLastError());
}
