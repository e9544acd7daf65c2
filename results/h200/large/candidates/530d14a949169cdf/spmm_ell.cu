// Y[r,k] = sum over the slots e of row r with col_ids[r,e] != -1 of values[r,e] * X[col_ids[r,e],k], rows of equal
// width with padding behind the entries, X and Y row-major.
// The library has no such format: its Blocked-ELL wants blocks, and its Sliced-ELL does not multiply matrices. Inside
// the call the entries are packed into CSR by kernels of our own (lengths, their running sum, a copy of each row), and
// multiplied by ALG2, the library's algorithm for row-major matrices.
// Differences: the library says that it expects unique indices; columns here may be unsorted and may repeat, and
// repeats must be summed. BF16: the library writes FP32, which a kernel of our own rounds to Y inside the call, because
// with a BF16 Y it rounds partial sums too.
//
// The number of entries is contents, so it is read from the device in every call; the copy and its wait are timed. The
// number of columns is not passed. A bound stands for it, the most rows that X can have with fewer than 2^31 elements,
// but at most 2^30, and enough to hold the entries if none repeated, which the library asks for. A non-transposed
// product reads only the rows of X that it meets.
#include <cusparse.h>
#include <cuda_bf16.h>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <climits>

#include "mskb/baseline.hpp"

namespace {

constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseSpMMAlg_t algorithm = CUSPARSE_SPMM_CSR_ALG2;
constexpr int threads = 256;

struct Library {
  cusparseHandle_t handle = nullptr;
  int* entries = nullptr;  // pinned host memory: where the number of entries arrives
};

Library& library() {
  static mskb::PerDevice<Library> libraries;
  return libraries.get(0, [](Library& made) {
    MSKB_CALL(cusparseCreate(&made.handle));
    MSKB_CALL(cudaMallocHost(&made.entries, sizeof(int)));
  });
}

// A warp per row.
__global__ void count_kernel(int rows, int width, const int* col_ids, int* lengths) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int entries = 0;
  for (int e = lane; e < width; e += 32) entries += col_ids[row * width + e] != -1;
  entries = __reduce_add_sync(0xffffffffu, entries);
  if (lane == 0) lengths[row] = entries;
}

// A warp per row; ends[row] is the number of entries in the rows up to this one.
template <class Real>
__global__ void pack_kernel(int rows, int width, const Real* values, const int* col_ids, const int* lengths,
                            const int* ends, Real* packed, int* columns) {
  const int row = (blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const int begin = ends[row] - lengths[row];
  for (int e = lane; e < lengths[row]; e += 32) {
    packed[begin + e] = values[row * width + e];
    columns[begin + e] = col_ids[row * width + e];
  }
}

template <class Real>
struct Csr {
  int entries, *row_offsets, *columns;
  Real* values;
};

// Integers in whole blocks of 256 bytes: the library takes only addresses that are multiples of 16.
std::size_t padded(std::size_t integers) { return (integers + 63) / 64 * 64; }

// In workspaces.
template <class Real>
Csr<Real> pack(int rows, int width, const Real* values, const int* col_ids) {
  static mskb::Workspace indices, packed, scratch;
  const std::size_t slots = static_cast<std::size_t>(rows) * width;
  Csr<Real> csr;
  const std::size_t part = padded(std::size_t{1} + rows);
  csr.row_offsets = static_cast<int*>(indices.at_least((2 * part + slots) * sizeof(int)));
  int* lengths = csr.row_offsets + part;
  csr.columns = lengths + part;
  csr.values = static_cast<Real*>(packed.at_least(slots * sizeof(Real)));

  const int blocks = (rows + threads / 32 - 1) / (threads / 32);
  count_kernel<<<blocks, threads>>>(rows, width, col_ids, lengths);
  MSKB_CALL(cudaGetLastError());
  MSKB_CALL(cudaMemsetAsync(csr.row_offsets, 0, sizeof(int)));
  std::size_t bytes = 0;
  MSKB_CALL(cub::DeviceScan::InclusiveSum(nullptr, bytes, lengths, csr.row_offsets + 1, rows));
  MSKB_CALL(cub::DeviceScan::InclusiveSum(scratch.at_least(bytes), bytes, lengths, csr.row_offsets + 1, rows));
  int* entries = library().entries;
  MSKB_CALL(cudaMemcpyAsync(entries, csr.row_offsets + rows, sizeof(int), cudaMemcpyDeviceToHost));
  pack_kernel<<<blocks, threads>>>(rows, width, values, col_ids, lengths, csr.row_offsets + 1, csr.values, csr.columns);
  MSKB_CALL(cudaGetLastError());
  MSKB_CALL(cudaStreamSynchronize(nullptr));
  csr.entries = *entries;
  return csr;
}

template <class Real>
void multiply(int rows, int width, int K, const Real* values, const int* col_ids, const Real* X, float* Y,
              cudaDataType type) {
  static mskb::Workspace workspace;
  const Csr<Real> csr = pack(rows, width, values, col_ids);
  if (csr.entries == 0) {
    MSKB_CALL(cudaMemsetAsync(Y, 0, sizeof(float) * rows * K));
    return;
  }

  const cusparseHandle_t handle = library().handle;
  const int columns = std::max(std::min(INT_MAX / K, 1 << 30), csr.entries / rows + (csr.entries % rows != 0));
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnMatDescr_t from = nullptr;
  cusparseDnMatDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsr(&matrix, rows, columns, csr.entries, csr.row_offsets, csr.columns, csr.values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnMat(&from, columns, K, K, X, type, CUSPARSE_ORDER_ROW));
  MSKB_CALL(cusparseCreateDnMat(&to, rows, K, K, Y, CUDA_R_32F, CUSPARSE_ORDER_ROW));

  const float one = 1.0f;
  const float zero = 0.0f;
  std::size_t bytes = 0;
  MSKB_SUPPORTED(cusparseSpMM_bufferSize(handle, plain, plain, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm,
                                         &bytes));
  MSKB_CALL(cusparseSpMM(handle, plain, plain, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm,
                         workspace.at_least(bytes)));

  MSKB_CALL(cusparseDestroyDnMat(to));
  MSKB_CALL(cusparseDestroyDnMat(from));
  MSKB_CALL(cusparseDestroySpMat(matrix));
}

// sums and Y are 16-byte aligned.
__global__ void round_kernel(const float* sums, __nv_bfloat16* Y, std::size_t elements) {
  std::size_t i = 4 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (i + 4 <= elements) {
    const float4 four = __ldcs(reinterpret_cast<const float4*>(sums + i));
    alignas(8) const __nv_bfloat162 rounded[2] = {__floats2bfloat162_rn(four.x, four.y),
                                                  __floats2bfloat162_rn(four.z, four.w)};
    *reinterpret_cast<uint2*>(Y + i) = *reinterpret_cast<const uint2*>(rounded);
  } else {
    for (; i < elements; ++i) Y[i] = __float2bfloat16(sums[i]);
  }
}

// FP32 memory for the elements of Y.
float* sums_for(std::size_t elements) {
  static mskb::Workspace sums;
  return static_cast<float*>(sums.at_least(elements * sizeof(float)));
}

void store_rounded(const float* sums, __nv_bfloat16* Y, std::size_t elements) {
  round_kernel<<<static_cast<unsigned>((elements + 4 * threads - 1) / (4 * threads)), threads>>>(sums, Y, elements);
  MSKB_CALL(cudaGetLastError());
}

}  // namespace

extern "C" void spmm_ell(int rows, int max_nnz_per_row, int K, const float* values, const int* col_ids, const float* X,
                         float* Y) {
  multiply(rows, max_nnz_per_row, K, values, col_ids, X, Y, CUDA_R_32F);
}

extern "C" void spmm_ell_bf16(int rows, int max_nnz_per_row, int K, const __nv_bfloat16* values, const int* col_ids,
                              const __nv_bfloat16* X, __nv_bfloat16* Y) {
  const std::size_t elements = std::size_t{1} * rows * K;
  float* sums = sums_for(elements);
  multiply(rows, max_nnz_per_row, K, values, col_ids, X, sums, CUDA_R_16BF);
  store_rounded(sums, Y, elements);
}
