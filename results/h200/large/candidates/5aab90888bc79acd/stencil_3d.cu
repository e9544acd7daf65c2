// u_new = c + r * (the six face neighbours - 6 c) in the interior, u_old on the rim: two cross-correlations of one
// channel in 2D, as the library's 3D ones of one channel are slow. The first goes over every plane as an image of its
// own, with 3 x 3 weights; the second sees the grid as one image whose rows are planes, has 3 x 1 weights and adds the
// neighbours along i to what the first wrote. Both pad with 0, and a last pass copies the rim over what came of that.
// The weights are made from r in every call.
// BF16 widens bands of planes to FP32, convolves them and rounds the results, band by band so that what lies between
// stays in the cache: the library's own BF16 kernels want many channels, and weights in BF16 would be wrong. Which
// algorithm runs is found once per size, in the first call, by timing the library's direct and implicit-GEMM ones.
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

// Images of one channel; the result has their size.
struct Shape {
  int images, rows, columns;
  int kernel_rows, kernel_columns;  // odd

  std::array<int, 5> key() const { return {images, rows, columns, kernel_rows, kernel_columns}; }
};

struct Algorithm {
  cudnnConvolutionFwdAlgo_t name;
  std::size_t scratch;  // bytes
  float milliseconds;
};

struct Plan {
  cudnnTensorDescriptor_t tensor = nullptr;  // input and output
  cudnnFilterDescriptor_t kernel = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;
  std::vector<Algorithm> algorithms;  // those that the library has for this size, fastest first after the trial
  bool tried = false;
};

struct Data {
  const float* input;
  const float* weights;
  float* output;
  float kept;  // share of what the output holds that is added to the result
};

cudnnHandle_t handle() {
  static mskb::PerDevice<cudnnHandle_t> handles;
  return handles.get(0, [](cudnnHandle_t& made) { MSKB_CALL(cudnnCreate(&made)); });
}

Plan& plan_for(const Shape& s) {
  static mskb::PerDevice<Plan, std::array<int, 5>> plans;
  return plans.get(s.key(), [&s](Plan& made) {
    MSKB_CALL(cudnnCreateTensorDescriptor(&made.tensor));
    MSKB_CALL(cudnnSetTensor4dDescriptor(made.tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.images, 1, s.rows,
                                         s.columns));
    MSKB_CALL(cudnnCreateFilterDescriptor(&made.kernel));
    MSKB_CALL(cudnnSetFilter4dDescriptor(made.kernel, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, s.kernel_rows,
                                         s.kernel_columns));
    MSKB_CALL(cudnnCreateConvolutionDescriptor(&made.convolution));
    MSKB_CALL(cudnnSetConvolution2dDescriptor(made.convolution, s.kernel_rows / 2, s.kernel_columns / 2, 1, 1, 1, 1,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    MSKB_CALL(cudnnSetConvolutionMathType(made.convolution, CUDNN_FMA_MATH));
    for (const cudnnConvolutionFwdAlgo_t name :
         {CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
          CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM}) {
      std::size_t bytes = 0;
      const cudnnStatus_t asked = cudnnGetConvolutionForwardWorkspaceSize(
          handle(), made.tensor, made.kernel, made.convolution, made.tensor, name, &bytes);
      if (mskb::means_unsupported(asked)) continue;
      mskb::check(asked, "cudnnGetConvolutionForwardWorkspaceSize", __FILE__, __LINE__);
      if (bytes <= scratch_limit) made.algorithms.push_back({name, bytes, 0.0f});
    }
  });
}

// False if the library refuses this algorithm after all.
bool run(const Plan& plan, const Algorithm& algorithm, const Data& data) {
  static mskb::Workspace scratch;
  const float one = 1.0f;
  const cudnnStatus_t status = cudnnConvolutionForward(
      handle(), &one, plan.tensor, data.input, plan.kernel, data.weights, plan.convolution, algorithm.name,
      scratch.at_least(algorithm.scratch), algorithm.scratch, &data.kept, plan.tensor, data.output);
  if (mskb::means_unsupported(status)) return false;
  mskb::check(status, "cudnnConvolutionForward", __FILE__, __LINE__);
  return true;
}

// Runs each algorithm twice, times the second, and leaves those that ran in the plan, fastest first. What the output
// holds afterwards is of no use. What is kept depends on sizes and device only.
void try_algorithms(Plan& plan, const Data& data) {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  MSKB_CALL(cudaEventCreate(&start));
  MSKB_CALL(cudaEventCreate(&stop));
  std::vector<Algorithm> ran;
  for (Algorithm algorithm : plan.algorithms) {
    if (!run(plan, algorithm, data)) continue;
    MSKB_CALL(cudaEventRecord(start));
    run(plan, algorithm, data);
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

void prepare(const Data& data, const Shape& shape) {
  Plan& plan = plan_for(shape);
  if (!plan.tried) try_algorithms(plan, data);
}

void convolve(const Data& data, const Shape& shape) {
  const Plan& plan = plan_for(shape);
  if (plan.algorithms.empty() || !run(plan, plan.algorithms.front(), data))
    throw mskb::Unsupported("cuDNN has no FP32 algorithm for this convolution within the scratch limit");
}

constexpr int along_first = 16;  // where the weights along i begin: after those of a plane, at an aligned address

// One block of 12 threads.
__global__ void weights_kernel(float* weights, float r) {
  const int w = threadIdx.x;
  if (w < 9) {
    const int away = (w / 3 != 1) + (w % 3 != 1);
    weights[w] = away == 0 ? 1.0f - 6.0f * r : away == 1 ? r : 0.0f;
  } else {
    weights[along_first + w - 9] = w == 10 ? 0.0f : r;
  }
}

const float* weights_of(float r) {
  static mskb::Workspace memory;
  auto* weights = static_cast<float*>(memory.at_least((along_first + 3) * sizeof(float)));
  weights_kernel<<<1, 12>>>(weights, r);
  MSKB_CALL(cudaGetLastError());
  return weights;
}

// The step of every cell whose neighbours are all in the grid; other cells get something else.
void step(const float* u_old, const float* weights, float* u_new, int nx, int ny, int nz) {
  const Data in_planes{u_old, weights, u_new, 0.0f};
  const Data along_i{u_old, weights + along_first, u_new, 1.0f};
  const Shape planes{nx, ny, nz, 3, 3};
  const Shape grid{1, nx, ny * nz, 3, 1};
  prepare(in_planes, planes);
  prepare(along_i, grid);
  convolve(in_planes, planes);
  convolve(along_i, grid);
}

// Copies the six faces, one thread per cell of each; cells on edges are copied more than once.
template <class Real>
__global__ void rim_kernel(Real* u_new, const Real* u_old, std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  std::int64_t t = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const bool last = t % 2 == 1;
  t /= 2;
  std::int64_t cell = 0;
  if (t < ny * nz) {
    cell = (last ? (nx - 1) * ny * nz : 0) + t;
  } else if ((t -= ny * nz) < nx * nz) {
    cell = (t / nz * ny + (last ? ny - 1 : 0)) * nz + t % nz;
  } else if ((t -= nx * nz) < nx * ny) {
    cell = t * nz + (last ? nz - 1 : 0);
  } else {
    return;
  }
  u_new[cell] = u_old[cell];
}

unsigned blocks_for(std::int64_t count) { return static_cast<unsigned>((count + threads - 1) / threads); }

template <class Real>
void copy_rim(Real* u_new, const Real* u_old, std::int64_t nx, std::int64_t ny, std::int64_t nz) {
  rim_kernel<<<blocks_for(2 * (ny * nz + nx * nz + nx * ny)), threads>>>(u_new, u_old, nx, ny, nz);
  MSKB_CALL(cudaGetLastError());
}

// Whether there is no interior; then everything has been copied.
template <class Real>
bool copied_whole(Real* u_new, const Real* u_old, int nx, int ny, int nz) {
  if (nx > 2 && ny > 2 && nz > 2) return false;
  MSKB_CALL(cudaMemcpyAsync(u_new, u_old, sizeof(Real) * nx * ny * nz, cudaMemcpyDeviceToDevice));
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

extern "C" void stencil_3d(float* u_new, const float* u_old, float r, int nx, int ny, int nz) {
  if (copied_whole(u_new, u_old, nx, ny, nz)) return;
  step(u_old, weights_of(r), u_new, nx, ny, nz);
  copy_rim(u_new, u_old, nx, ny, nz);
}

extern "C" void stencil_3d_bf16(__nv_bfloat16* u_new, const __nv_bfloat16* u_old, float r, int nx, int ny, int nz) {
  static mskb::Workspace memory_old, memory_new;
  if (copied_whole(u_new, u_old, nx, ny, nz)) return;
  const float* weights = weights_of(r);
  const std::int64_t plane = std::int64_t{ny} * nz;
  const int most = static_cast<int>(std::min<std::int64_t>(nx - 2, std::max<std::int64_t>(1, band_cells / plane)));
  auto* wide_old = static_cast<float*>(memory_old.at_least(sizeof(float) * plane * (most + 2)));
  auto* wide_new = static_cast<float*>(memory_new.at_least(sizeof(float) * plane * (most + 2)));
  for (int first = 1; first < nx - 1; first += most) {
    const int planes = std::min(most, nx - 1 - first);
    convert(u_old + (first - 1) * plane, wide_old, (planes + 2) * plane);
    step(wide_old, weights, wide_new, planes + 2, ny, nz);
    convert(wide_new + plane, u_new + first * plane, planes * plane);
  }
  copy_rim(u_new, u_old, nx, ny, nz);
}
