// y[r,c] = sum_{m,n} x[r+m, c+n] * w[m,n], one unpadded channel, kernel not flipped: cross-correlation, N = C = K = 1.
// Which algorithm runs is found once per size, in the first call, by timing the library's direct and implicit-GEMM ones:
// its heuristic prefers one that is several times slower with a single channel, and its own trial of everything takes
// half a minute for a large kernel. BF16 widens to FP32, convolves and rounds the result, all inside the call: the library's own BF16 kernels want
// many channels and take several times as long with one.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "mskb/baseline.hpp"

#if CUDNN_MAJOR < 8
#error "this baseline needs cuDNN 8 or later, for CUDNN_FMA_MATH"
#endif

namespace {

// Algorithms that want more scratch memory than this are passed over; im2col of a large image takes tens of GB.
constexpr std::size_t scratch_limit = std::size_t{1} << 30;

struct Shape {
  int rows, cols, kernel_rows, kernel_cols;

  int out_rows() const { return rows - kernel_rows + 1; }
  int out_cols() const { return cols - kernel_cols + 1; }
  bool operator<(const Shape& other) const {
    return std::tie(rows, cols, kernel_rows, kernel_cols) <
           std::tie(other.rows, other.cols, other.kernel_rows, other.kernel_cols);
  }
};

struct Algorithm {
  cudnnConvolutionFwdAlgo_t name;
  std::size_t scratch;  // bytes
  float milliseconds;
};

struct Plan {
  cudnnTensorDescriptor_t input = nullptr;
  cudnnFilterDescriptor_t kernel = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  cudnnTensorDescriptor_t output = nullptr;
  std::vector<Algorithm> algorithms;  // those that the library has for this size, fastest first after the trial
  bool tried = false;
};

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

Plan& plan_for(const Shape& shape) {
  static mskb::PerDevice<Plan, Shape> plans;
  return plans.get(shape, [&shape](Plan& made) {
    MSKB_CALL(cudnnCreateTensorDescriptor(&made.input));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.input, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, shape.rows, shape.cols));
    MSKB_CALL(cudnnCreateFilterDescriptor(&made.kernel));
    MSKB_CALL(cudnnSetFilter4dDescriptor(made.kernel, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, shape.kernel_rows,
                                         shape.kernel_cols));
    MSKB_CALL(cudnnCreateConvolutionDescriptor(&made.convolution));
    MSKB_CALL(cudnnSetConvolution2dDescriptor(made.convolution, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
                                              CUDNN_DATA_FLOAT));
    MSKB_CALL(cudnnSetConvolutionMathType(made.convolution, CUDNN_FMA_MATH));
    MSKB_CALL(cudnnCreateTensorDescriptor(&made.output));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.output, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, shape.out_rows(),
                                         shape.out_cols()));

    for (const cudnnConvolutionFwdAlgo_t name :
         {CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD,
          CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM}) {
      std::size_t bytes = 0;
      const cudnnStatus_t asked = cudnnGetConvolutionForwardWorkspaceSize(
          handle(), made.input, made.kernel, made.convolution, made.output, name, &bytes);
      if (mskb::means_unsupported(asked)) continue;
      mskb::check(asked, "cudnnGetConvolutionForwardWorkspaceSize", __FILE__, __LINE__);
      if (bytes <= scratch_limit) made.algorithms.push_back({name, bytes, 0.0f});
    }
  });
}

// False if the library refuses this algorithm after all.
bool run(const Plan& plan, const Algorithm& algorithm, const float* input, const float* kernel, float* output) {
  static mskb::Workspace scratch;
  const float one = 1.0f;
  const float zero = 0.0f;
  const cudnnStatus_t status = cudnnConvolutionForward(
      handle(), &one, plan.input, input, plan.kernel, kernel, plan.convolution, algorithm.name,
      scratch.at_least(algorithm.scratch), algorithm.scratch, &zero, plan.output, output);
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
  std::sort(ran.begin(), ran.end(), [](const Algorithm& a, const Algorithm& b) { return a.milliseconds < b.milliseconds; });
  plan.algorithms = ran;
  plan.tried = true;
}

// Whether the library did it; false if it refuses every algorithm for this size.
bool convolve(const float* input, const float* kernel, float* output, const Shape& shape) {
  Plan& plan = plan_for(shape);
  if (!plan.tried) try_algorithms(plan, input, kernel, output);
  return !plan.algorithms.empty() && run(plan, plan.algorithms.front(), input, kernel, output);
}

void convolve_float(const float* input, const float* kernel, float* output, const Shape& shape) {
  if (!convolve(input, kernel, output, shape))
    throw mskb::Unsupported("cuDNN has no FP32 algorithm for this convolution within the scratch limit");
}

template <class To, class From>
__global__ void convert(const From* from, To* to, std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = static_cast<To>(from[i]);
}

template <class To, class From>
void convert_all(const From* from, To* to, std::int64_t count) {
  constexpr int threads = 256;
  convert<<<static_cast<unsigned>((count + threads - 1) / threads), threads>>>(from, to, count);
  MSKB_CALL(cudaGetLastError());
}

float* widened(mskb::Workspace& memory, const __nv_bfloat16* from, std::int64_t count) {
  float* to = static_cast<float*>(memory.at_least(sizeof(float) * count));
  convert_all(from, to, count);
  return to;
}

}  // namespace

extern "C" void conv_2d(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                        int kernel_rows, int kernel_cols) {
  convolve_float(input, kernel, output, {input_rows, input_cols, kernel_rows, kernel_cols});
}

extern "C" void conv_2d_bf16(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output,
                             int input_rows, int input_cols, int kernel_rows, int kernel_cols) {
  const Shape shape{input_rows, input_cols, kernel_rows, kernel_cols};
  static mskb::Workspace wide_input, wide_kernel, wide_output;
  const std::int64_t outputs = std::int64_t{shape.out_rows()} * shape.out_cols();
  float* sums = static_cast<float*>(wide_output.at_least(sizeof(float) * outputs));
  convolve_float(widened(wide_input, input, std::int64_t{input_rows} * input_cols),
                 widened(wide_kernel, kernel, std::int64_t{kernel_rows} * kernel_cols), sums, shape);
  convert_all(sums, output, outputs);
}
