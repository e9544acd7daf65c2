// y[r] = sum over j in row_offsets[r]..row_offsets[r + 1]-1 of values[j] * x[col_indices[j]]
// Eight lanes compute a row; every load of a level is issued before the next level needs it.
#include <cuda_runtime.h>

namespace {

constexpr int kLanes = 8;  // lanes per row
constexpr int kSlots = 3;  // entries per lane in the first, unrolled part
constexpr int kUnroll = 4; // entries per lane and step for the rest of longer rows

__device__ __forceinline__ float load(const float* p) {
  return __ldg(p);
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads, 2048 / kThreads)
spmv_csr_kernel(unsigned rows, const float* __restrict__ values, const int* __restrict__ col_indices,
                const int* __restrict__ row_offsets, const float* __restrict__ x, float* __restrict__ y) {
  const unsigned lane = threadIdx.x & (kLanes - 1);
  const unsigned row = blockIdx.x * (kThreads / kLanes) + threadIdx.x / kLanes;
  const bool valid = row < rows;

  unsigned begin = 0;
  unsigned n = 0;
  if (valid) {
    const int first = __ldg(row_offsets + row);
    const int last = __ldg(row_offsets + row + 1);
    begin = static_cast<unsigned>(first);
    n = static_cast<unsigned>(last - first);
  }
  const unsigned start = begin + lane;
  const int* __restrict__ pc = col_indices + start;
  const float* __restrict__ pv = values + start;

  float acc[kUnroll];
#pragma unroll
  for (int k = 0; k < kUnroll; ++k) {
    acc[k] = 0.0f;
  }

  {
    int c[kSlots];
    float v[kSlots];
    float g[kSlots];
#pragma unroll
    for (int k = 0; k < kSlots; ++k) {
      c[k] = 0;
      if (lane + k * kLanes < n) {
        c[k] = __ldg(pc + k * kLanes);
      }
    }
#pragma unroll
    for (int k = 0; k < kSlots; ++k) {
      v[k] = 0.0f;
      if (lane + k * kLanes < n) {
        v[k] = load(pv + k * kLanes);
      }
    }
#pragma unroll
    for (int k = 0; k < kSlots; ++k) {
      g[k] = 0.0f;
      if (lane + k * kLanes < n) {
        g[k] = load(x + c[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < kSlots; ++k) {
      acc[k] = fmaf(v[k], g[k], acc[k]);
    }
  }

  if (n > kSlots * kLanes) {
    for (unsigned i = lane + kSlots * kLanes; i < n; i += kUnroll * kLanes) {
      const int* qc = col_indices + begin + i;
      const float* qv = values + begin + i;
      int c[kUnroll];
      float v[kUnroll];
      float g[kUnroll];
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) {
        c[k] = 0;
        if (i + k * kLanes < n) {
          c[k] = __ldg(qc + k * kLanes);
        }
      }
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) {
        v[k] = 0.0f;
        if (i + k * kLanes < n) {
          v[k] = load(qv + k * kLanes);
        }
      }
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) {
        g[k] = 0.0f;
        if (i + k * kLanes < n) {
          g[k] = load(x + c[k]);
        }
      }
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) {
        acc[k] = fmaf(v[k], g[k], acc[k]);
      }
    }
  }

  float sum = (acc[0] + acc[1]) + (acc[2] + acc[3]);
#pragma unroll
  for (int step = kLanes / 2; step > 0; step /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  }
  if (valid && lane == 0) {
    y[row] = sum;
  }
}

template <int kThreads>
void launch(int rows, const float* values, const int* col_indices, const int* row_offsets, const float* x, float* y) {
  constexpr unsigned kRows = kThreads / kLanes;
  const unsigned blocks = (static_cast<unsigned>(rows) - 1u) / kRows + 1u;
  spmv_csr_kernel<kThreads><<<blocks, kThreads>>>(static_cast<unsigned>(rows), values, col_indices, row_offsets, x, y);
}

}  // namespace

extern "C" void spmv_csr(int rows, const float* values, const int* col_indices, const int* row_offsets, const float* x, float* y) {
  if (rows <= 8192) {
    launch<128>(rows, values, col_indices, row_offsets, x, y);
  } else {
    launch<256>(rows, values, col_indices, row_offsets, x, y);
  }
}
