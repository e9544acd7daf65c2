// Y[r,k] = sum over the columns c and the entries j of column c with row_indices[j] = r of values[j] * X[c,k], CSC with
// 32-bit indices from 0, X and Y row-major.
// Overwrites Y where the original adds to it; the same thing, since the caller hands it in zeroed.
// The library's product with CSC adds by atomics. Inside the call it converts to CSR instead, by its own routine: the
// CSC of A is the CSR of A^T, whose CSC is the CSR of A. ALG2 is the algorithm for row-major matrices.
// Differences: the library says that it expects unique indices; rows here may be unsorted within a column and may
// repeat, and repeats must be summed. It refuses more entries than rows * columns; since repeats allow them, it is told
// of as many rows in the conversion and columns in the product as hold the entries. Nothing lies in those that we add.
// BF16: the library writes FP32, which a kernel of our own rounds to Y inside the call, because with a BF16 Y it rounds
// partial sums too.
//
// The number of entries, col_offsets[columns], is read from the device in every call. It is contents, so it must not be
// kept; the copy and its wait are the price of this interface and are timed.
#include <cusparse.h>
#include <cuda_bf16.h>

#include <algorithm>

#include "mskb/baseline.hpp"

namespace {

constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseSpMMAlg_t algorithm = CUSPARSE_SPMM_CSR_ALG2;

struct Library {
  cusparseHandle_t handle = nullptr;
  int* entries = nullptr;  // pinned host memory: where col_offsets[columns] arrives
};

Library& library() {
  static mskb::PerDevice<Library> libraries;
  return libraries.get(0, [](Library& made) {
    MSKB_CALL(cusparseCreate(&made.handle));
    MSKB_CALL(cudaMallocHost(&made.entries, sizeof(int)));
  });
}

int entries_of(const int* col_offsets, int columns) {
  int* entries = library().entries;
  MSKB_CALL(cudaMemcpyAsync(entries, col_offsets + columns, sizeof(int), cudaMemcpyDeviceToHost));
  MSKB_CALL(cudaStreamSynchronize(nullptr));
  return *entries;
}

// How many lines of `length` elements hold the entries, at least `lines`.
int lines_for(int entries, int lines, int length) {
  return std::max(lines, entries / length + (entries % length != 0));
}

struct Csr {
  int *row_offsets, *col_indices;
  void* values;
};

// In workspaces. The library takes only addresses that are multiples of 16.
Csr to_csr(int rows, int columns, int entries, const void* values, const int* row_indices, const int* col_offsets,
           cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace indices, permuted, scratch;
  const cusparseHandle_t handle = library().handle;
  Csr csr;
  const std::size_t offsets_bytes = ((std::size_t{1} + rows) * sizeof(int) + 255) / 256 * 256;
  char* memory = static_cast<char*>(indices.at_least(offsets_bytes + entries * sizeof(int)));
  csr.row_offsets = reinterpret_cast<int*>(memory);
  csr.col_indices = reinterpret_cast<int*>(memory + offsets_bytes);
  csr.values = permuted.at_least(entries * element_bytes);
  std::size_t bytes = 0;
  MSKB_SUPPORTED(cusparseCsr2cscEx2_bufferSize(handle, columns, rows, entries, values, col_offsets, row_indices,
                                               csr.values, csr.row_offsets, csr.col_indices, type,
                                               CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                                               CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
  MSKB_CALL(cusparseCsr2cscEx2(handle, columns, rows, entries, values, col_offsets, row_indices, csr.values,
                               csr.row_offsets, csr.col_indices, type, CUSPARSE_ACTION_NUMERIC,
                               CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT, scratch.at_least(bytes)));
  return csr;
}

// values and X are of one type, Y is FP32.
void multiply(int rows, int columns, int K, const void* values, const int* row_indices, const int* col_offsets,
              const void* X, float* Y, cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace workspace;
  const int entries = entries_of(col_offsets, columns);
  if (entries == 0) {
    MSKB_CALL(cudaMemsetAsync(Y, 0, sizeof(float) * rows * K));
    return;
  }

  const cusparseHandle_t handle = library().handle;
  const Csr csr = to_csr(lines_for(entries, rows, columns), columns, entries, values, row_indices, col_offsets, type,
                         element_bytes);
  const int told_columns = lines_for(entries, columns, rows);
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnMatDescr_t from = nullptr;
  cusparseDnMatDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsr(&matrix, rows, told_columns, entries, csr.row_offsets, csr.col_indices, csr.values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnMat(&from, told_columns, K, K, X, type, CUSPARSE_ORDER_ROW));
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
  round_kernel<<<static_cast<unsigned>((elements + 1023) / 1024), 256>>>(sums, Y, elements);
  MSKB_CALL(cudaGetLastError());
}

}  // namespace

extern "C" void spmm_csc(int rows, int columns, int K, const float* values, const int* row_indices,
                         const int* col_offsets, const float* X, float* Y) {
  multiply(rows, columns, K, values, row_indices, col_offsets, X, Y, CUDA_R_32F, sizeof(float));
}

extern "C" void spmm_csc_bf16(int rows, int columns, int K, const __nv_bfloat16* values, const int* row_indices,
                              const int* col_offsets, const __nv_bfloat16* X, __nv_bfloat16* Y) {
  const std::size_t elements = std::size_t{1} * rows * K;
  float* sums = sums_for(elements);
  multiply(rows, columns, K, values, row_indices, col_offsets, X, sums, CUDA_R_16BF, sizeof(__nv_bfloat16));
  store_rounded(sums, Y, elements);
}
