// y[r] = sum over the entries j of row r of values[j] * x[col_indices[j]], CSR with 32-bit indices from 0.
// Differences: the library says that it expects unique indices; columns here may be unsorted and may repeat, and
// repeats must be summed. Its non-transposed product adds one term per entry, which is that. With ALG1 the bits of a
// result may vary between calls.
//
// The entry point passes neither the number of entries nor that of columns, and the descriptor wants both.
// - Entries: row_offsets[rows], read from the device in every call. It is contents, so it must not be kept; the copy
//   and its wait are the price of this interface and are timed.
// - Columns: a bound. A non-transposed product reads x only at the indices it meets, so the count serves as a limit
//   for them, never as a trip count. The bound leaves room below 2^31 for 32-bit arithmetic inside the library.
// For the same reason the descriptors are made anew in every call: the library may keep its analysis in them.
#include <cusparse.h>
#include <cuda_bf16.h>

#include <cstdint>

#include "mskb/baseline.hpp"

namespace {

constexpr std::int64_t column_bound = std::int64_t{1} << 30;
constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_CSR_ALG1;

struct Library {
  cusparseHandle_t handle = nullptr;
  int* entries = nullptr;  // pinned host memory: where row_offsets[rows] arrives
};

Library& library() {
  static mskb::PerDevice<Library> libraries;
  return libraries.get(0, [](Library& made) {
    MSKB_CALL(cusparseCreate(&made.handle));
    MSKB_CALL(cudaMallocHost(&made.entries, sizeof(int)));
  });
}

int entries_of(const int* row_offsets, int rows) {
  int* entries = library().entries;
  MSKB_CALL(cudaMemcpyAsync(entries, row_offsets + rows, sizeof(int), cudaMemcpyDeviceToHost));
  MSKB_CALL(cudaStreamSynchronize(nullptr));
  return *entries;
}

// values, x and y are of one type.
void multiply(int rows, const void* values, const int* col_indices, const int* row_offsets, const void* x, void* y,
              cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace workspace;
  const int entries = entries_of(row_offsets, rows);
  if (entries == 0) {
    MSKB_CALL(cudaMemsetAsync(y, 0, rows * element_bytes));
    return;
  }

  const cusparseHandle_t handle = library().handle;
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnVecDescr_t from = nullptr;
  cusparseDnVecDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsr(&matrix, rows, column_bound, entries, row_offsets, col_indices, values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnVec(&from, column_bound, x, type));
  MSKB_CALL(cusparseCreateDnVec(&to, rows, y, type));

  const float one = 1.0f;
  const float zero = 0.0f;
  std::size_t bytes = 0;
  MSKB_SUPPORTED(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to,
                                         CUDA_R_32F, algorithm, &bytes));
  MSKB_CALL(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm,
                         workspace.at_least(bytes)));

  MSKB_CALL(cusparseDestroyDnVec(to));
  MSKB_CALL(cusparseDestroyDnVec(from));
  MSKB_CALL(cusparseDestroySpMat(matrix));
}

}  // namespace

extern "C" void spmv_csr(int rows, const float* values, const int* col_indices, const int* row_offsets, const float* x,
                         float* y) {
  multiply(rows, values, col_indices, row_offsets, x, y, CUDA_R_32F, sizeof(float));
}

extern "C" void spmv_csr_bf16(int rows, const __nv_bfloat16* values, const int* col_indices, const int* row_offsets,
                              const __nv_bfloat16* x, __nv_bfloat16* y) {
  multiply(rows, values, col_indices, row_offsets, x, y, CUDA_R_16BF, sizeof(__nv_bfloat16));
}
