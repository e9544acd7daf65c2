// u_new = c + r * (the four neighbours - 4 c) in the interior, u_old on the rim: a 3 x 3 cross-correlation of one
// channel, whose weights are made from r in every call, and a pass that copies the rim.
// FP32 convolves the whole grid with padding and overwrites the rim. BF16 widens bands of rows to FP32, convolves them
// and rounds the results, band by band so that what lies between stays in the cache: the library's own BF16 kernels
// want many channels, and weights in BF16 would be wrong. Which algorithm runs is found once per size, in the first
// call, by timing the library's direct and implicit-GEMM ones.
#include <cudnn.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "mskb/baseline.hpp"

#if CUDNN_MAJOR < 8
#error "this baseline needs cuDNN 8 or later, for CUDNN_FMA_MATH"
#endif

namespace {

// Algorithms that want more scratch memory than this are passed over; im2col of a large grid takes tens of GB.
constexpr std::size_t scratch_limit = std::size_t{1} << 30;
constexpr std::int64_t band_cells = std::int64_t{1} << 22;  // BF16: cells of a band, 32 MiB of FP32 in and out
constexpr int threads = 256;

// Extents of the grid that is convolved, and whether its first and last row are padded or only read.
struct Shape {
  int nx, ny;
  bool pad_x;

  std::array<int, 3> key() const { return {nx, ny, pad_x ? 1 : 0}; }
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

void describe_tensor(cudnnTensorDescriptor_t& tensor, int nx, int ny) {
  MSKB_CALL(cudnnCreateTensorDescriptor(&tensor));
  MSKB_CALL(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, nx, ny));
}

Plan& plan_for(const Shape& shape) {
  static mskb::PerDevice<Plan, std::array<int, 3>> plans;
  return plans.get(shape.key(), [&shape](Plan& made) {
    describe_tensor(made.input, shape.nx, shape.ny);
    describe_tensor(made.output, shape.pad_x ? shape.nx : shape.nx - 2, shape.ny);
    MSKB_CALL(cudnnCreateFilterDescriptor(&made.kernel));
    MSKB_CALL(cudnnSetFilter4dDescriptor(made.kernel, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, 3, 3));
    MSKB_CALL(cudnnCreateConvolutionDescriptor(&made.convolution));
    MSKB_CALL(cudnnSetConvolution2dDescriptor(made.convolution, shape.pad_x ? 1 : 0, 1, 1, 1, 1, 1,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    MSKB_CALL(cudnnSetConvolutionMathType(made.convolution, CUDNN_FMA_MATH));
    for (const cudnnConvolutionFwdAlgo_t name :
         {CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
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
bool run(const Plan& plan, const Algorithm& algorithm, const float* input, const float* weights, float* output) {
  static mskb::Workspace scratch;
  const float one = 1.0f;
  const float zero = 0.0f;
  const cudnnStatus_t status = cudnnConvolutionForward(
      handle(), &one, plan.input, input, plan.kernel, weights, plan.convolution, algorithm.name,
      scratch.at_least(algorithm.scratch), algorithm.scratch, &zero, plan.output, output);
  if (mskb::means_unsupported(status)) return false;
  mskb::check(status, "cudnnConvolutionForward", __FILE__, __LINE__);
  return true;
}

// Runs each algorithm twice, times the second, and leaves those that ran in the plan, fastest first. The output is
// written by every one of them. What is kept depends on sizes and device only.
void try_algorithms(Plan& plan, const float* input, const float* weights, float* output) {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  MSKB_CALL(cudaEventCreate(&start));
  MSKB_CALL(cudaEventCreate(&stop));
  std::vector<Algorithm> ran;
  for (Algorithm algorithm : plan.algorithms) {
    if (!run(plan, algorithm, input, weights, output)) continue;
    MSKB_CALL(cudaEventRecord(start));
    run(plan, algorithm, input, weights, output);
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

void convolve(const float* input, const float* weights, float* output, const Shape& shape) {
  Plan& plan = plan_for(shape);
  if (!plan.tried) try_algorithms(plan, input, weights, output);
  if (plan.algorithms.empty() || !run(plan, plan.algorithms.front(), input, weights, output))
    throw mskb::Unsupported("cuDNN has no FP32 algorithm for this convolution within the scratch limit");
}

// One block of 9 threads. A neighbour differs from the centre in one coordinate.
__global__ void weights_kernel(float* weights, float r) {
  const int away = (threadIdx.x / 3 != 1) + (threadIdx.x % 3 != 1);
  weights[threadIdx.x] = away == 0 ? 1.0f - 4.0f * r : away == 1 ? r : 0.0f;
}

const float* weights_of(float r) {
  static mskb::Workspace memory;
  auto* weights = static_cast<float*>(memory.at_least(9 * sizeof(float)));
  weights_kernel<<<1, 9>>>(weights, r);
  MSKB_CALL(cudaGetLastError());
  return weights;
}

// Copies the four sides, one thread per cell of each; corners are copied more than once.
template <class Real>
__global__ void rim_kernel(Real* u_new, const Real* u_old, std::int64_t nx, std::int64_t ny) {
  std::int64_t t = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const bool last = t % 2 == 1;
  t /= 2;
  std::int64_t cell = 0;
  if (t < ny) {
    cell = (last ? (nx - 1) * ny : 0) + t;
  } else if ((t -= ny) < nx) {
    cell = t * ny + (last ? ny - 1 : 0);
  } else {
    return;
  }
  u_new[cell] = u_old[cell];
}

unsigned blocks_for(std::int64_t count) { return static_cast<unsigned>((count + threads - 1) / threads); }

template <class Real>
void copy_rim(Real* u_new, const Real* u_old, std::int64_t nx, std::int64_t ny) {
  rim_kernel<<<blocks_for(2 * (nx + ny)), threads>>>(u_new, u_old, nx, ny);
  MSKB_CALL(cudaGetLastError());
}

// Whether there is no interior; then everything has been copied.
template <class Real>
bool copied_whole(Real* u_new, const Real* u_old, int nx, int ny) {
  if (nx > 2 && ny > 2) return false;
  MSKB_CALL(cudaMemcpyAsync(u_new, u_old, sizeof(Real) * nx * ny, cudaMemcpyDeviceToDevice));
  return true;
}

template <class T>
struct alignas(4 * sizeof(T)) Quad {
  T of[4];
};

template <class To, class From>
__global__ void convert_quads(const From* from, To* to, std::int64_t quads) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= quads) return;
  const Quad<From> source = reinterpret_cast<const Quad<From>*>(from)[i];
  Quad<To> target;
  for (int k = 0; k < 4; ++k) target.of[k] = static_cast<To>(source.of[k]);
  reinterpret_cast<Quad<To>*>(to)[i] = target;
}

template <class To, class From>
__global__ void convert_single(const From* from, To* to, std::int64_t count) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < count) to[i] = static_cast<To>(from[i]);
}

template <class To, class From>
void convert(const From* from, To* to, std::int64_t count) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(from) % sizeof(Quad<From>) == 0 &&
                       reinterpret_cast<std::uintptr_t>(to) % sizeof(Quad<To>) == 0;
  if (aligned && count % 4 == 0) {
    convert_quads<<<blocks_for(count / 4), threads>>>(from, to, count / 4);
  } else {
    convert_single<<<blocks_for(count), threads>>>(from, to, count);
  }
  MSKB_CALL(cudaGetLastError());
}

}  // namespace

extern "C" void stencil_2d(float* u_new, const float* u_old, float r, int nx, int ny) {
  if (copied_whole(u_new, u_old, nx, ny)) return;
  convolve(u_old, weights_of(r), u_new, {nx, ny, true});
  copy_rim(u_new, u_old, nx, ny);
}

extern "C" void stencil_2d_bf16(__nv_bfloat16* u_new, const __nv_bfloat16* u_old, float r, int nx, int ny) {
  static mskb::Workspace memory_old, memory_new;
  if (copied_whole(u_new, u_old, nx, ny)) return;
  const float* weights = weights_of(r);
  const int most = static_cast<int>(std::min<std::int64_t>(nx - 2, std::max<std::int64_t>(1, band_cells / ny)));
  auto* wide_old = static_cast<float*>(memory_old.at_least(sizeof(float) * ny * (most + 2)));
  auto* wide_new = static_cast<float*>(memory_new.at_least(sizeof(float) * ny * most));
  for (int first = 1; first < nx - 1; first += most) {
    const int rows = std::min(most, nx - 1 - first);
    convert(u_old + (first - 1) * std::int64_t{ny}, wide_old, (rows + 2) * std::int64_t{ny});
    convolve(wide_old, weights, wide_new, {rows + 2, ny, false});
    convert(wide_new, u_new + first * std::int64_t{ny}, rows * std::int64_t{ny});
  }
  copy_rim(u_new, u_old, nx, ny);
}
