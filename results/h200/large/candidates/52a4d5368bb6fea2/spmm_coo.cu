// Y[r,k] = sum over the entries e with row_indices[e] = r of values[e] * X[col_indices[e],k], X and Y row-major.
// Overwrites Y where the original adds to it; the same thing, since the caller hands it in zeroed.
// The library's product wants the entries in the order of their rows. They are sorted inside the call by its own
// routines (sort with a permutation, gather of the values, row offsets) and multiplied as CSR, whose ALG2 is the
// algorithm for row-major matrices.
// Differences: the library says that it expects unique indices; entries here may repeat and must be summed. BF16: it
// writes FP32, which a kernel of our own rounds to Y inside the call, because with a BF16 Y it rounds partial sums too.
//
// The number of columns is not passed. A bound stands for it, the most rows that X can have with fewer than 2^31
// elements, but at most 2^30, and enough to hold the entries if none repeated, which the library asks for. A
// non-transposed product reads only the rows of X that it meets.
#include <cusparse.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <climits>

#include "mskb/baseline.hpp"

namespace {

constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseSpMMAlg_t algorithm = CUSPARSE_SPMM_CSR_ALG2;

cusparseHandle_t handle() {
  static mskb::PerDevice<cusparseHandle_t> handles;
  return handles.get(0, [](cusparseHandle_t& made) { MSKB_CALL(cusparseCreate(&made)); });
}

// The sort works in place and reports its permutation by permuting 0, 1, .. nnz - 1.
__global__ void unsorted_kernel(int nnz, const int* row_indices, const int* col_indices, int* rows, int* columns,
                                int* place) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= nnz) return;
  rows[e] = row_indices[e];
  columns[e] = col_indices[e];
  place[e] = e;
}

// Integers in whole blocks of 256 bytes: the library takes only addresses that are multiples of 16.
std::size_t padded(std::size_t integers) { return (integers + 63) / 64 * 64; }

struct Sorted {
  int *rows, *columns, *place, *offsets;  // place: where an entry stood before
  void* values;
};

// The entries in the order of their rows, in workspaces. A column is below `columns`.
Sorted sort_by_row(int rows, int columns, int nnz, const void* values, const int* row_indices, const int* col_indices,
                   cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace indices, permuted, scratch;
  Sorted sorted;
  const std::size_t part = padded(nnz);
  sorted.rows = static_cast<int*>(indices.at_least((3 * part + rows + 1) * sizeof(int)));
  sorted.columns = sorted.rows + part;
  sorted.place = sorted.columns + part;
  sorted.offsets = sorted.place + part;
  sorted.values = permuted.at_least(nnz * element_bytes);
  unsorted_kernel<<<(nnz + 255u) / 256u, 256>>>(nnz, row_indices, col_indices, sorted.rows, sorted.columns,
                                                sorted.place);
  MSKB_CALL(cudaGetLastError());
  std::size_t bytes = 0;
  MSKB_CALL(cusparseXcoosort_bufferSizeExt(handle(), rows, columns, nnz, sorted.rows, sorted.columns, &bytes));
  MSKB_CALL(cusparseXcoosortByRow(handle(), rows, columns, nnz, sorted.rows, sorted.columns, sorted.place,
                                  scratch.at_least(bytes)));
  MSKB_CALL(cusparseXcoo2csr(handle(), sorted.rows, nnz, rows, sorted.offsets, CUSPARSE_INDEX_BASE_ZERO));

  cusparseConstDnVecDescr_t from = nullptr;
  cusparseSpVecDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstDnVec(&from, nnz, values, type));
  MSKB_CALL(cusparseCreateSpVec(&to, nnz, nnz, sorted.place, sorted.values, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_SUPPORTED(cusparseGather(handle(), from, to));
  MSKB_CALL(cusparseDestroySpVec(to));
  MSKB_CALL(cusparseDestroyDnVec(from));
  return sorted;
}

// values and X are of one type, Y is FP32.
void multiply(int rows, int nnz, int K, const void* values, const int* row_indices, const int* col_indices,
              const void* X, float* Y, cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace workspace;
  const int columns = std::max(std::min(INT_MAX / K, 1 << 30), nnz / rows + (nnz % rows != 0));
  const Sorted sorted = sort_by_row(rows, columns, nnz, values, row_indices, col_indices, type, element_bytes);
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnMatDescr_t from = nullptr;
  cusparseDnMatDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsr(&matrix, rows, columns, nnz, sorted.offsets, sorted.columns, sorted.values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnMat(&from, columns, K, K, X, type, CUSPARSE_ORDER_ROW));
  MSKB_CALL(cusparseCreateDnMat(&to, rows, K, K, Y, CUDA_R_32F, CUSPARSE_ORDER_ROW));

  const float one = 1.0f;
  const float zero = 0.0f;
  std::size_t bytes = 0;
  MSKB_SUPPORTED(cusparseSpMM_bufferSize(handle(), plain, plain, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm,
                                         &bytes));
  MSKB_CALL(cusparseSpMM(handle(), plain, plain, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm,
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
  round_kernel<<<static_cast<unsigned>((elements + 1023) / 1024), 256>>>(sums, Y, elements);
  MSKB_CALL(cudaGetLastError());
}

}  // namespace

extern "C" void spmm_coo(int rows, int nnz, int K, const float* values, const int* row_indices, const int* col_indices,
                         const float* X, float* Y) {
  multiply(rows, nnz, K, values, row_indices, col_indices, X, Y, CUDA_R_32F, sizeof(float));
}

extern "C" void spmm_coo_bf16(int rows, int nnz, int K, const __nv_bfloat16* values, const int* row_indices,
                              const int* col_indices, const __nv_bfloat16* X, __nv_bfloat16* Y) {
  const std::size_t elements = std::size_t{1} * rows * K;
  float* sums = sums_for(elements);
  multiply(rows, nnz, K, values, row_indices, col_indices, X, sums, CUDA_R_16BF, sizeof(__nv_bfloat16));
  store_rounded(sums, Y, elements);
}
