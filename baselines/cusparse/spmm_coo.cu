// Y[r,k] = sum over the entries e with row_indices[e] = r of values[e] * X[col_indices[e],k], X and Y row-major.
// Overwrites Y where the original adds to it; the same thing, since the caller hands it in zeroed.
// The library's product wants the entries in the order of their rows. They are sorted inside the call by its own
// routines (sort with a permutation, gather of the values, row offsets) and multiplied as CSR, whose ALG2 is the
// algorithm for row-major matrices.
// Differences: the library says that it expects unique indices; entries here may repeat and must be summed.
//
// The number of columns is not passed. A bound stands for it, the most rows that X can have with fewer than 2^31
// elements, but at most 2^30; a non-transposed product reads only the rows of X that it meets.
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

__global__ void numbers_kernel(int* numbers, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = i;
}

// 0, 1, .. count - 1 in device memory.
const int* numbers(int count) {
  static mskb::PerDevice<int*> kept;
  return kept.get(count, [count](int*& made) {
    MSKB_CALL(cudaMalloc(&made, count * sizeof(int)));
    numbers_kernel<<<(count + 255) / 256, 256>>>(made, count);
    MSKB_CALL(cudaGetLastError());
  });
}

void copy(int* to, const int* from, int count) {
  MSKB_CALL(cudaMemcpyAsync(to, from, count * sizeof(int), cudaMemcpyDeviceToDevice));
}

struct Sorted {
  int *rows, *columns, *place, *offsets;  // place: where an entry stood before
  void* values;
};

// The entries in the order of their rows, in workspaces. A column is below `columns`.
Sorted sort_by_row(int rows, int columns, int nnz, const void* values, const int* row_indices, const int* col_indices,
                   cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace indices, permuted, scratch;
  Sorted sorted;
  sorted.rows = static_cast<int*>(indices.at_least((std::size_t{3} * nnz + rows + 1) * sizeof(int)));
  sorted.columns = sorted.rows + nnz;
  sorted.place = sorted.columns + nnz;
  sorted.offsets = sorted.place + nnz;
  sorted.values = permuted.at_least(nnz * element_bytes);
  copy(sorted.rows, row_indices, nnz);
  copy(sorted.columns, col_indices, nnz);
  copy(sorted.place, numbers(nnz), nnz);
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

// values, X and Y are of one type.
void multiply(int rows, int nnz, int K, const void* values, const int* row_indices, const int* col_indices,
              const void* X, void* Y, cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace workspace;
  const int columns = std::min(INT_MAX / K, 1 << 30);
  const Sorted sorted = sort_by_row(rows, columns, nnz, values, row_indices, col_indices, type, element_bytes);
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnMatDescr_t from = nullptr;
  cusparseDnMatDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsr(&matrix, rows, columns, nnz, sorted.offsets, sorted.columns, sorted.values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnMat(&from, columns, K, K, X, type, CUSPARSE_ORDER_ROW));
  MSKB_CALL(cusparseCreateDnMat(&to, rows, K, K, Y, type, CUSPARSE_ORDER_ROW));

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

}  // namespace

extern "C" void spmm_coo(int rows, int nnz, int K, const float* values, const int* row_indices, const int* col_indices,
                         const float* X, float* Y) {
  multiply(rows, nnz, K, values, row_indices, col_indices, X, Y, CUDA_R_32F, sizeof(float));
}

extern "C" void spmm_coo_bf16(int rows, int nnz, int K, const __nv_bfloat16* values, const int* row_indices,
                              const int* col_indices, const __nv_bfloat16* X, __nv_bfloat16* Y) {
  multiply(rows, nnz, K, values, row_indices, col_indices, X, Y, CUDA_R_16BF, sizeof(__nv_bfloat16));
}
