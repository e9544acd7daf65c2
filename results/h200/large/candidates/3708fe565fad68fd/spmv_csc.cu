// y[r] = sum over the columns c and the entries j of column c with row_indices[j] = r of values[j] * x[c], CSC with
// 32-bit indices from 0.
// Overwrites y where the original adds to it; the same thing, since the caller hands it in zeroed.
// Differences: the library says that it expects unique indices; rows here may be unsorted within a column and may
// repeat, and repeats must be summed. It refuses more entries than rows * columns; since repeats allow them, it is told
// of as many rows as hold the entries, and the rows that are y are copied. The order of the additions may vary between
// calls. BF16: y is added up in FP32 and rounded by a kernel of our own, because the additions are atomic.
//
// The number of entries, col_offsets[columns], is read from the device in every call. It is contents, so it must not be
// kept; the copy and its wait are the price of this interface and are timed. For the same reason the descriptors are
// made anew in every call: the library may keep its analysis in them.
#include <cusparse.h>
#include <cuda_bf16.h>

#include <algorithm>

#include "mskb/baseline.hpp"

namespace {

constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_CSR_ALG1;  // also for CSC

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

// How many rows hold the entries if none repeated, at least `rows`.
int rows_for(int entries, int rows, int columns) {
  return std::max(rows, entries / columns + (entries % columns != 0));
}

float* sums_for(int rows) {
  static mskb::Workspace sums;
  return static_cast<float*>(sums.at_least(rows * sizeof(float)));
}

// values and x are of one type, y is FP32. At least one entry, at most rows * columns.
void multiply(int rows, int columns, int entries, const void* values, const int* row_indices, const int* col_offsets,
              const void* x, float* y, cudaDataType type) {
  static mskb::Workspace workspace;
  const cusparseHandle_t handle = library().handle;
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnVecDescr_t from = nullptr;
  cusparseDnVecDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsc(&matrix, rows, columns, entries, col_offsets, row_indices, values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnVec(&from, columns, x, type));
  MSKB_CALL(cusparseCreateDnVec(&to, rows, y, CUDA_R_32F));

  const float one = 1.0f;
  const float zero = 0.0f;
  std::size_t bytes = 0;
  MSKB_SUPPORTED(cusparseSpMV_bufferSize(handle, plain, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm, &bytes));
  MSKB_CALL(cusparseSpMV(handle, plain, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm,
                         workspace.at_least(bytes)));

  MSKB_CALL(cusparseDestroyDnVec(to));
  MSKB_CALL(cusparseDestroyDnVec(from));
  MSKB_CALL(cusparseDestroySpMat(matrix));
}

__global__ void round_kernel(const float* sums, __nv_bfloat16* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) y[row] = __float2bfloat16(sums[row]);
}

}  // namespace

extern "C" void spmv_csc(int rows, int columns, const float* values, const int* row_indices, const int* col_offsets,
                         const float* x, float* y) {
  const int entries = entries_of(col_offsets, columns);
  if (entries == 0) {
    MSKB_CALL(cudaMemsetAsync(y, 0, rows * sizeof(float)));
    return;
  }
  const int told_rows = rows_for(entries, rows, columns);
  float* sums = told_rows == rows ? y : sums_for(told_rows);
  multiply(told_rows, columns, entries, values, row_indices, col_offsets, x, sums, CUDA_R_32F);
  if (sums != y) MSKB_CALL(cudaMemcpyAsync(y, sums, rows * sizeof(float), cudaMemcpyDeviceToDevice));
}

extern "C" void spmv_csc_bf16(int rows, int columns, const __nv_bfloat16* values, const int* row_indices,
                              const int* col_offsets, const __nv_bfloat16* x, __nv_bfloat16* y) {
  const int entries = entries_of(col_offsets, columns);
  if (entries == 0) {
    MSKB_CALL(cudaMemsetAsync(y, 0, rows * sizeof(__nv_bfloat16)));
    return;
  }
  const int told_rows = rows_for(entries, rows, columns);
  float* sums = sums_for(told_rows);
  multiply(told_rows, columns, entries, values, row_indices, col_offsets, x, sums, CUDA_R_16BF);
  round_kernel<<<(rows + 255) / 256, 256>>>(sums, y, rows);
  MSKB_CALL(cudaGetLastError());
}
