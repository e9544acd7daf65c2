// Single-channel valid 2D cross-correlation in BF16 with FP32 accumulation on the tensor cores.
// For one kernel row, eight neighbouring outputs of a row are a product of kernel_cols + 7 inputs with a banded
// (Toeplitz) matrix of weights. mma.sync m16n8k16 takes 16 image rows as A and the band as B. The 16 rows lie two
// apart: a fragment then serves output row pairs, with kernel row p for the even and p - 1 for the odd ones.
// Kernels larger than 32 x 32 are taken in pieces of that size.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

constexpr int kPiece = 32;        // kernel rows and columns in shared memory at a time
constexpr int kBandPitch = 32;    // 32-bit words of one kernel row in one copy of the padded weights
constexpr int kBandLead = 7;      // zeros before the first weight

// Warps stand kWarpsY x kWarpsX over the output tile, kSplit teams share the kernel rows, and each warp owns 32 rows of
// kTiles * 8 columns. kSteps: k16 steps that the band of 16 * kSteps - 7 columns takes.
template <int kTilesValue, int kWarpsYValue, int kWarpsXValue, int kSplitValue, int kStepsValue>
struct Layout {
  static constexpr int kTiles = kTilesValue;
  static constexpr int kWarpsY = kWarpsYValue;
  static constexpr int kWarpsX = kWarpsXValue;
  static constexpr int kSplit = kSplitValue;
  static constexpr int kSteps = kStepsValue;
  static constexpr int kThreads = 32 * kWarpsY * kWarpsX * kSplit;
  static constexpr int kHeight = 32 * kWarpsY;
  static constexpr int kWidth = 8 * kTiles * kWarpsX;
  static constexpr int kBlocks = kTiles + 2 * kSteps;                     // 8-column blocks of inputs that a warp reads
  static constexpr int kChunks = kTiles * kWarpsX + 2 * kSteps;           // the same of the whole tile, 16 bytes each
  static constexpr int kPitch = (kChunks + 7) / 8 * 128;                  // bytes of an input row
  static constexpr int kStagePitch = kWidth + 4;                          // floats
  static constexpr int kBlocksPerSm = 4;
};

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void load_matrices(unsigned (&r)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void multiply_add(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// kAligned: input rows start at a multiple of eight elements.
template <typename L, bool kAligned>
__global__ void __launch_bounds__(L::kThreads, L::kBlocksPerSm)
    conv_2d_bf16_kernel(const __nv_bfloat16* __restrict__ input, const __nv_bfloat16* __restrict__ kernel,
                        __nv_bfloat16* __restrict__ output, int input_rows, int input_cols, int kernel_rows,
                        int kernel_cols) {
  extern __shared__ __align__(1024) unsigned char shared[];
  // Two copies of the padded weights, the second one element ahead: any two neighbours are one word of one copy.
  __shared__ unsigned bands[2][kPiece][kBandPitch];

  const int output_rows = input_rows - kernel_rows + 1;
  const int output_cols = input_cols - kernel_cols + 1;
  const int tile_y = blockIdx.y * L::kHeight;
  const int tile_x = blockIdx.x * L::kWidth;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int team = warp / (L::kWarpsY * L::kWarpsX);
  const int warp_y = warp / L::kWarpsX % L::kWarpsY * 32;
  const int warp_block = warp % L::kWarpsX * L::kTiles;
  const int group = lane / 4;
  const int pair = lane % 4 * 2;

  // Element k of column `group` of the band is weight k - group, at padded place k - group + 7; k = pair + ...
  const int place = kBandLead - group + pair;
  const unsigned* const band = &bands[place % 2][0][place / 2];

  float sum[2][L::kTiles][4];
#pragma unroll
  for (int q = 0; q < 2; ++q) {
#pragma unroll
    for (int j = 0; j < L::kTiles; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) sum[q][j][e] = 0.0f;
    }
  }

  for (int piece_y = 0; piece_y < kernel_rows; piece_y += kPiece) {
    const int rows = min(kernel_rows - piece_y, kPiece);
    for (int piece_x = 0; piece_x < kernel_cols; piece_x += kPiece) {
      const int cols = min(kernel_cols - piece_x, kPiece);
      if (piece_y + piece_x > 0) __syncthreads();  // the last piece is no longer read

      for (int i = threadIdx.x; i < 2 * rows * kBandPitch; i += L::kThreads) {
        const int copy = i / (rows * kBandPitch);
        const int row = i / kBandPitch % rows;
        const int column = i % kBandPitch * 2 + copy - kBandLead;
        const __nv_bfloat16* const from =
            kernel + static_cast<size_t>(piece_y + row) * kernel_cols + piece_x;
        unsigned word = 0;
        if (column >= 0 && column < cols) word = __bfloat16_as_ushort(from[column]);
        if (column + 1 >= 0 && column + 1 < cols) {
          word |= static_cast<unsigned>(__bfloat16_as_ushort(from[column + 1])) << 16;
        }
        bands[copy][row][i % kBandPitch] = word;
      }

      // Chunk c of row y lies at chunk c ^ (y / 2 % 8): eight rows two apart then lie in different banks.
      const int loads = (L::kHeight + rows - 1) * L::kChunks;
#pragma unroll 4
      for (int i = threadIdx.x; i < loads; i += L::kThreads) {
        const int row = i / L::kChunks;
        const int chunk = i % L::kChunks;
        const int y = tile_y + piece_y + row;
        const int x = tile_x + piece_x + chunk * 8;
        uint4 words = make_uint4(0u, 0u, 0u, 0u);
        if (y < input_rows) {
          const __nv_bfloat16* const from = input + static_cast<size_t>(y) * input_cols + x;
          if (kAligned) {
            if (x < input_cols) words = __ldg(reinterpret_cast<const uint4*>(from));
          } else {
            unsigned element[8];
#pragma unroll
            for (int e = 0; e < 8; ++e) element[e] = x + e < input_cols ? __bfloat16_as_ushort(from[e]) : 0u;
            words = make_uint4(element[0] | (element[1] << 16), element[2] | (element[3] << 16),
                               element[4] | (element[5] << 16), element[6] | (element[7] << 16));
          }
        }
        *reinterpret_cast<uint4*>(shared + row * L::kPitch + ((chunk ^ (row / 2 % 8)) << 4)) = words;
      }
      __syncthreads();

      const int share = (rows + L::kSplit - 1) / L::kSplit;
      const int first_row = min(team * share, rows);
      const int end_row = min(first_row + share, rows);
      if (first_row < end_row) {
        // Lanes 0-15 give the rows of one block, lanes 16-31 those of the next.
        const int matrix_row = warp_y + lane % 16 * 2;
        const unsigned rows_base = shared_address(shared) + matrix_row * L::kPitch;
        unsigned previous[2 * L::kSteps];
#pragma unroll
        for (int b = 0; b < 2 * L::kSteps; ++b) previous[b] = 0u;

        // Image row p of the thread's rows meets kernel row p for even output rows and p - 1 for odd ones.
        for (int p = first_row; p <= end_row; ++p) {
          unsigned blocks[L::kBlocks][2];
          const unsigned swizzle = (matrix_row + p) / 2 % 8;
#pragma unroll
          for (int b = 0; b < L::kBlocks; b += 2) {
            unsigned r[4];
            load_matrices(r, rows_base + p * L::kPitch + (((warp_block + b + lane / 16) ^ swizzle) << 4));
            blocks[b][0] = r[0];
            blocks[b][1] = r[1];
            blocks[b + 1][0] = r[2];
            blocks[b + 1][1] = r[3];
          }
          unsigned current[2 * L::kSteps];
#pragma unroll
          for (int b = 0; b < 2 * L::kSteps; ++b) current[b] = p < end_row ? band[p * kBandPitch + b * 4] : 0u;
#pragma unroll
          for (int s = 0; s < L::kSteps; ++s) {
#pragma unroll
            for (int j = 0; j < L::kTiles; ++j) {
              const unsigned a[4] = {blocks[j + 2 * s][0], blocks[j + 2 * s][1], blocks[j + 2 * s + 1][0],
                                     blocks[j + 2 * s + 1][1]};
              multiply_add(sum[0][j], a, current[2 * s], current[2 * s + 1]);
              multiply_add(sum[1][j], a, previous[2 * s], previous[2 * s + 1]);
            }
          }
#pragma unroll
          for (int b = 0; b < 2 * L::kSteps; ++b) previous[b] = current[b];
        }
      }
    }
  }

  // Through shared memory, as rows of the output start anywhere.
  __syncthreads();
  float* const staged = reinterpret_cast<float*>(shared);
  constexpr int stage = L::kHeight * L::kStagePitch;
#pragma unroll
  for (int q = 0; q < 2; ++q) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float* const at = staged + team * stage + (warp_y + (group + half * 8) * 2 + q) * L::kStagePitch;
#pragma unroll
      for (int j = 0; j < L::kTiles; ++j) {
        *reinterpret_cast<float2*>(at + (warp_block + j) * 8 + pair) =
            make_float2(sum[q][j][half * 2], sum[q][j][half * 2 + 1]);
      }
    }
  }
  __syncthreads();
#pragma unroll 4
  for (int i = threadIdx.x; i < L::kHeight * L::kWidth; i += L::kThreads) {
    const int row = i / L::kWidth;
    const int column = i % L::kWidth;
    float total = staged[row * L::kStagePitch + column];
#pragma unroll
    for (int s = 1; s < L::kSplit; ++s) total += staged[s * stage + row * L::kStagePitch + column];
    const int y = tile_y + row;
    const int x = tile_x + column;
    if (y < output_rows && x < output_cols) {
      output[static_cast<size_t>(y) * output_cols + x] = __float2bfloat16_rn(total);
    }
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

template <typename L, bool kAligned>
void launch(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output, int input_rows,
            int input_cols, int kernel_rows, int kernel_cols) {
  constexpr size_t most_inputs = static_cast<size_t>(L::kHeight + kPiece - 1) * L::kPitch;
  constexpr size_t staged = sizeof(float) * L::kSplit * L::kHeight * L::kStagePitch;
  static_assert(most_inputs <= 40 * 1024 && staged <= 40 * 1024, "with the bands this must stay within 48 KiB");
  const int rows = kernel_rows < kPiece ? kernel_rows : kPiece;
  const size_t inputs = static_cast<size_t>(L::kHeight + rows - 1) * L::kPitch;
  const size_t bytes = inputs > staged ? inputs : staged;
  const dim3 grid((input_cols - kernel_cols) / L::kWidth + 1, (input_rows - kernel_rows) / L::kHeight + 1);
  conv_2d_bf16_kernel<L, kAligned>
      <<<grid, L::kThreads, bytes>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
}

template <int kSteps>
void run(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output, int input_rows, int input_cols,
         int kernel_rows, int kernel_cols) {
  using Large = Layout<8, 2, 2, 1, kSteps>;  // 64 x 128 outputs
  using Small = Layout<2, 1, 1, 4, kSteps>;  // 32 x 16 outputs, four teams
  const long long tiles = static_cast<long long>((input_cols - kernel_cols) / Large::kWidth + 1) *
                          ((input_rows - kernel_rows) / Large::kHeight + 1);
  const bool aligned = input_cols % 8 == 0;
  if (tiles * 4 >= multiprocessors() * 3LL) {
    aligned ? launch<Large, true>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols)
            : launch<Large, false>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else {
    aligned ? launch<Small, true>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols)
            : launch<Small, false>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  }
}

}  // namespace

extern "C" void conv_2d_bf16_optimized(const __nv_bfloat16* input, const __nv_bfloat16* kernel, __nv_bfloat16* output,
                                       int input_rows, int input_cols, int kernel_rows, int kernel_cols) {
  if (kernel_rows <= 0 || kernel_cols <= 0 || input_rows < kernel_rows || input_cols < kernel_cols) return;
  // Eight outputs of a row meet kernel_cols + 7 inputs.
  if (kernel_cols <= 9) {
    run<1>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else if (kernel_cols <= 25) {
    run<2>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  } else {
    run<3>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  }
}
