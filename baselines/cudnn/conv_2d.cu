// y[r,c] = sum_{m,n} x[r+m, c+n] * w[m,n], one unpadded channel, kernel not flipped: cross-correlation, N = C = K = 1.
// Which algorithm runs is found once per size by the library's own trial of all of them on its own buffers, in the
// first call: its heuristic prefers one that is several times slower with a single channel. An FFT or Winograd choice rounds differently from a direct
// sum. BF16 widens to FP32, convolves and rounds the result, all inside the call: the library's own BF16 kernels want
// many channels and take several times as long with one.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <array>
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

struct Plan {
  cudnnTensorDescriptor_t input = nullptr;
  cudnnFilterDescriptor_t kernel = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  cudnnTensorDescriptor_t output = nullptr;
  std::vector<cudnnConvolutionFwdAlgoPerf_t> algorithms;  // fastest first
  std::size_t current = 0;                                // those before it were refused when they ran
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

    // Room for every algorithm in every math mode.
    std::array<cudnnConvolutionFwdAlgoPerf_t, CUDNN_CONVOLUTION_FWD_ALGO_COUNT * 4> found;
    int count = 0;
    const cudnnStatus_t asked =
        cudnnFindConvolutionForwardAlgorithm(handle(), made.input, made.kernel, made.convolution, made.output,
                                             static_cast<int>(found.size()), &count, found.data());
    if (mskb::means_unsupported(asked)) return;  // no algorithm at all
    mskb::check(asked, "cudnnFindConvolutionForwardAlgorithm", __FILE__, __LINE__);
    for (int i = 0; i < count; ++i) {
      const bool tensor_cores = found[i].mathType != CUDNN_FMA_MATH && found[i].mathType != CUDNN_DEFAULT_MATH;
      if (found[i].status == CUDNN_STATUS_SUCCESS && found[i].memory <= scratch_limit && !tensor_cores)
        made.algorithms.push_back(found[i]);
    }
  });
}

// Whether the library did it; false if it refuses every algorithm for this size.
bool convolve(const float* input, const float* kernel, float* output, const Shape& shape) {
  static mskb::Workspace scratch;
  const float one = 1.0f;
  const float zero = 0.0f;
  Plan& plan = plan_for(shape);
  for (; plan.current < plan.algorithms.size(); ++plan.current) {
    const cudnnConvolutionFwdAlgoPerf_t& choice = plan.algorithms[plan.current];
    // The mode reported for an algorithm does not matter: CUDNN_DEFAULT_MATH would allow TF32, so the plan's stays.
    const cudnnStatus_t status = cudnnConvolutionForward(
        handle(), &one, plan.input, input, plan.kernel, kernel, plan.convolution, choice.algo,
        scratch.at_least(choice.memory), choice.memory, &zero, plan.output, output);
    if (mskb::means_unsupported(status)) continue;
    mskb::check(status, "cudnnConvolutionForward", __FILE__, __LINE__);
    return true;
  }
  return false;
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
