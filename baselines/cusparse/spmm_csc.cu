// Y[r,k] = sum over the columns c and the entries j of column c with row_indices[j] = r of values[j] * X[c,k], CSC with
// 32-bit indices from 0, X and Y row-major.
// Overwrites Y where the original adds to it; the same thing, since the caller hands it in zeroed.
// The library's product with CSC adds by atomics. Inside the call it converts to CSR instead, by its own routine: the
// CSC of A is the CSR of A^T, whose CSC is the CSR of A. ALG2 is the algorithm for row-major matrices.
// Differences: the library says that it expects unique indices; rows here may be unsorted within a column and may
// repeat, and repeats must be summed.
//
// The number of entries, col_offsets[columns], is read from the device in every call. It is contents, so it must not be
// kept; the copy and its wait are the price of this interface and are timed.
#include <cusparse.h>
#include <cuda_bf16.h>

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

struct Csr {
  int *row_offsets, *col_indices;
  void* values;
};

// In workspaces.
Csr to_csr(int rows, int columns, int entries, const void* values, const int* row_indices, const int* col_offsets,
           cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace indices, permuted, scratch;
  const cusparseHandle_t handle = library().handle;
  Csr csr;
  csr.row_offsets = static_cast<int*>(indices.at_least((std::size_t{1} + rows + entries) * sizeof(int)));
  csr.col_indices = csr.row_offsets + rows + 1;
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

// values, X and Y are of one type.
void multiply(int rows, int columns, int K, const void* values, const int* row_indices, const int* col_offsets,
              const void* X, void* Y, cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace workspace;
  const int entries = entries_of(col_offsets, columns);
  if (entries == 0) {
    MSKB_CALL(cudaMemsetAsync(Y, 0, element_bytes * rows * K));
    return;
  }

  const cusparseHandle_t handle = library().handle;
  const Csr csr = to_csr(rows, columns, entries, values, row_indices, col_offsets, type, element_bytes);
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnMatDescr_t from = nullptr;
  cusparseDnMatDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsr(&matrix, rows, columns, entries, csr.row_offsets, csr.col_indices, csr.values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnMat(&from, columns, K, K, X, type, CUSPARSE_ORDER_ROW));
  MSKB_CALL(cusparseCreateDnMat(&to, rows, K, K, Y, type, CUSPARSE_ORDER_ROW));

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

}  // namespace

extern "C" void spmm_csc(int rows, int columns, int K, const float* values, const int* row_indices,
                         const int* col_offsets, const float* X, float* Y) {
  multiply(rows, columns, K, values, row_indices, col_offsets, X, Y, CUDA_R_32F, sizeof(float));
}

extern "C" void spmm_csc_bf16(int rows, int columns, int K, const __nv_bfloat16* values, const int* row_indices,
                              const int* col_offsets, const __nv_bfloat16* X, __nv_bfloat16* Y) {
  multiply(rows, columns, K, values, row_indices, col_offsets, X, Y, CUDA_R_16BF, sizeof(__nv_bfloat16));
}
