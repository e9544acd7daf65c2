// Single-channel valid 2D cross-correlation, FP32 on the CUDA cores.
// A thread owns kTx x kTy outputs. It walks the input rows it needs; a row slides through a register window and serves
// all kTy output rows at once, so that 16 * kTx multiply-adds cost one 16-byte load of inputs and kTy of weights.
// Kernels larger than 32 x 32 are taken in pieces of that size.
#include <cuda_runtime.h>

namespace {

constexpr int kPiece = 32;  // kernel rows and columns in shared memory at a time

// How a block is laid out: warps of kLanesX x (32 / kLanesX) threads, kWarpsY of them one above the other over the
// output tile, and kSplit such teams that share the kernel rows among them.
template <int kTxValue, int kTyValue, int kLanesXValue, int kWarpsYValue, int kSplitValue, int kBlocksPerSmValue>
struct Layout {
  static constexpr int kTx = kTxValue;
  static constexpr int kTy = kTyValue;
  static constexpr int kLanesX = kLanesXValue;
  static constexpr int kWarpsY = kWarpsYValue;
  static constexpr int kSplit = kSplitValue;
  static constexpr int kBlocksPerSm = kBlocksPerSmValue;
  static constexpr int kThreads = 32 * kWarpsY * kSplit;
  static constexpr int kWidth = kLanesX * kTx;
  static constexpr int kHeight = 32 / kLanesX * kTy * kWarpsY;
};

using Large = Layout<8, 4, 16, 4, 1, 4>;   // 128 x 32 outputs, 128 threads
using Medium = Layout<8, 4, 16, 4, 2, 2>;  // the same tile with two teams
using Small = Layout<4, 4, 16, 1, 8, 2>;   // 64 x 8 outputs, eight teams

// One input row against the kernel rows that it meets. `window` starts at the thread's first input of this row,
// `weights` at the row that belongs to output row 0 of the thread; output row t takes the t-th row before it.
// kAll: all kTy output rows take part; otherwise those t with first <= t <= last.
// kQuads: kernel columns / 4 when known at compile time, else 0 and `quads` counts.
template <typename L, int kQuads, bool kAll>
__device__ __forceinline__ void add_row(float (&sum)[L::kTy][L::kTx], const float* inputs, const float* weights,
                                        int weight_pitch, int quads, int first, int last) {
  constexpr int tx = L::kTx;
  float window[tx + 4];
#pragma unroll
  for (int q = 0; q < tx / 4; ++q) {
    *reinterpret_cast<float4*>(&window[q * 4]) = *reinterpret_cast<const float4*>(inputs + q * 4);
  }
  const int count = kQuads > 0 ? kQuads : quads;
#pragma unroll 4
  for (int c = 0; c < count; ++c) {
    *reinterpret_cast<float4*>(&window[tx]) = *reinterpret_cast<const float4*>(inputs + tx + c * 4);
#pragma unroll
    for (int t = 0; t < L::kTy; ++t) {
      if (kAll || (t >= first && t <= last)) {
        const float4 w = *reinterpret_cast<const float4*>(weights - t * weight_pitch + c * 4);
#pragma unroll
        for (int x = 0; x < tx; ++x) sum[t][x] += w.x * window[x];
#pragma unroll
        for (int x = 0; x < tx; ++x) sum[t][x] += w.y * window[x + 1];
#pragma unroll
        for (int x = 0; x < tx; ++x) sum[t][x] += w.z * window[x + 2];
#pragma unroll
        for (int x = 0; x < tx; ++x) sum[t][x] += w.w * window[x + 3];
      }
    }
#pragma unroll
    for (int x = 0; x < tx; ++x) window[x] = window[x + 4];
  }
}

// kQuads as above: then the kernel has 4 * kQuads columns and is one piece wide. kAligned: input rows start at a
// multiple of four elements.
template <typename L, int kQuads, bool kAligned>
__global__ void __launch_bounds__(L::kThreads, L::kBlocksPerSm)
    conv_2d_kernel(const float* __restrict__ input, const float* __restrict__ kernel, float* __restrict__ output,
                   int input_rows, int input_cols, int kernel_rows, int kernel_cols) {
  extern __shared__ float4 shared_quads[];
  float* const shared_weights = reinterpret_cast<float*>(shared_quads);

  const int output_rows = input_rows - kernel_rows + 1;
  const int output_cols = input_cols - kernel_cols + 1;
  const int tile_y = blockIdx.y * L::kHeight;
  const int tile_x = blockIdx.x * L::kWidth;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int team = warp / L::kWarpsY;
  const int thread_x = lane % L::kLanesX * L::kTx;
  const int thread_y = (warp % L::kWarpsY * (32 / L::kLanesX) + lane / L::kLanesX) * L::kTy;

  float sum[L::kTy][L::kTx];
#pragma unroll
  for (int t = 0; t < L::kTy; ++t) {
#pragma unroll
    for (int x = 0; x < L::kTx; ++x) sum[t][x] = 0.0f;
  }

  for (int piece_y = 0; piece_y < kernel_rows; piece_y += kPiece) {
    const int rows = min(kernel_rows - piece_y, kPiece);
    for (int piece_x = 0; piece_x < kernel_cols; piece_x += kPiece) {
      const int cols = min(kernel_cols - piece_x, kPiece);
      const int quads = kQuads > 0 ? kQuads : (cols + 3) / 4;
      const int weight_pitch = quads * 4;
      const int input_quads = L::kWidth / 4 + quads;
      float* const shared_input = shared_weights + rows * weight_pitch;

      if (piece_y + piece_x > 0) __syncthreads();  // the last piece is no longer read
      for (int i = threadIdx.x; i < rows * weight_pitch; i += L::kThreads) {
        const int x = i % weight_pitch;
        shared_weights[i] =
            x < cols
                ? kernel[static_cast<size_t>(piece_y + i / weight_pitch) * kernel_cols + piece_x + x]
                : 0.0f;
      }
      const int loads = (L::kHeight + rows - 1) * input_quads;
#pragma unroll 4
      for (int i = threadIdx.x; i < loads; i += L::kThreads) {
        const int y = tile_y + piece_y + i / input_quads;
        const int x = tile_x + piece_x + i % input_quads * 4;
        float4 quad = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (y < input_rows) {
          const float* const at = input + static_cast<size_t>(y) * input_cols + x;
          if (kAligned) {
            if (x < input_cols) quad = __ldg(reinterpret_cast<const float4*>(at));
          } else {
            if (x < input_cols) quad.x = at[0];
            if (x + 1 < input_cols) quad.y = at[1];
            if (x + 2 < input_cols) quad.z = at[2];
            if (x + 3 < input_cols) quad.w = at[3];
          }
        }
        *reinterpret_cast<float4*>(shared_input + i * 4) = quad;
      }
      __syncthreads();

      // Kernel rows first_row .. end_row - 1 belong to this team; output row t of the thread meets kernel row m at
      // input row m + t.
      const int share = (rows + L::kSplit - 1) / L::kSplit;
      const int first_row = min(team * share, rows);
      const int end_row = min(first_row + share, rows);
      const float* const inputs = shared_input + thread_y * input_quads * 4 + thread_x;
      if (first_row < end_row) {
        int i = first_row;
        for (; i < first_row + L::kTy - 1; ++i) {
          add_row<L, kQuads, false>(sum, inputs + i * input_quads * 4, shared_weights + i * weight_pitch, weight_pitch,
                                    quads, i - (end_row - 1), i - first_row);
        }
        for (; i < end_row; ++i) {
          add_row<L, kQuads, true>(sum, inputs + i * input_quads * 4, shared_weights + i * weight_pitch, weight_pitch,
                                   quads, 0, L::kTy - 1);
        }
        for (; i < end_row + L::kTy - 1; ++i) {
          add_row<L, kQuads, false>(sum, inputs + i * input_quads * 4, shared_weights + i * weight_pitch, weight_pitch,
                                    quads, i - (end_row - 1), i - first_row);
        }
      }
    }
  }

  // Through shared memory: rows of the output start anywhere, so a thread's own outputs cannot be stored as vectors.
  __syncthreads();
  float* const staged = shared_weights;
  constexpr int outputs = L::kHeight * L::kWidth;
#pragma unroll
  for (int t = 0; t < L::kTy; ++t) {
#pragma unroll
    for (int q = 0; q < L::kTx / 4; ++q) {
      *reinterpret_cast<float4*>(staged + team * outputs + (thread_y + t) * L::kWidth + thread_x + q * 4) =
          make_float4(sum[t][q * 4], sum[t][q * 4 + 1], sum[t][q * 4 + 2], sum[t][q * 4 + 3]);
    }
  }
  __syncthreads();
#pragma unroll 4
  for (int i = threadIdx.x; i < outputs; i += L::kThreads) {
    float total = staged[i];
#pragma unroll
    for (int s = 1; s < L::kSplit; ++s) total += staged[s * outputs + i];
    const int y = tile_y + i / L::kWidth;
    const int x = tile_x + i % L::kWidth;
    if (y < output_rows && x < output_cols) output[static_cast<size_t>(y) * output_cols + x] = total;
  }
}

int multiprocessors() {
  static const int count = [] {
    int device = 0, value = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device);
    return value > 0 ? value : 1;
  }();
  return count;
}

template <typename L, int kQuads, bool kAligned>
void launch(const float* input, const float* kernel, float* output, int input_rows, int input_cols, int kernel_rows,
            int kernel_cols) {
  const int rows = kernel_rows < kPiece ? kernel_rows : kPiece;
  const int pitch = ((kernel_cols < kPiece ? kernel_cols : kPiece) + 3) / 4 * 4;
  const size_t operands = rows * pitch + (L::kHeight + rows - 1) * (L::kWidth + pitch);
  const size_t staged = L::kSplit * L::kHeight * L::kWidth;
  const size_t bytes = (operands > staged ? operands : staged) * sizeof(float);  // below 48 KiB in every layout
  const dim3 grid((input_cols - kernel_cols) / L::kWidth + 1, (input_rows - kernel_rows) / L::kHeight + 1);
  conv_2d_kernel<L, kQuads, kAligned><<<grid, L::kThreads, bytes>>>(input, kernel, output, input_rows, input_cols,
                                                                      kernel_rows, kernel_cols);
}

template <typename L>
void run_layout(const float* input, const float* kernel, float* output, int input_rows, int input_cols, int kernel_rows,
                int kernel_cols) {
  if (input_cols % 4 != 0) {
    launch<L, 0, false>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else if (kernel_cols == 8) {
    launch<L, 2, true>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else if (kernel_cols == 16) {
    launch<L, 4, true>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else if (kernel_cols == 32) {
    launch<L, 8, true>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else {
    launch<L, 0, true>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  }
}

void run(const float* input, const float* kernel, float* output, int input_rows, int input_cols, int kernel_rows,
         int kernel_cols) {
  if (kernel_rows <= 0 || kernel_cols <= 0 || input_rows < kernel_rows || input_cols < kernel_cols) return;
  const long long tiles = static_cast<long long>((input_cols - kernel_cols) / Large::kWidth + 1) *
                          ((input_rows - kernel_rows) / Large::kHeight + 1);
  if (tiles >= 4LL * multiprocessors()) {
    run_layout<Large>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else if (tiles >= multiprocessors()) {
    run_layout<Medium>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else {
    run_layout<Small>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  }
}

}  // namespace

extern "C" void conv_2d_optimized(const float* input, const float* kernel, float* output, int input_rows,
                                  int input_cols, int kernel_rows, int kernel_cols) {
  run(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
}
