// y[r] = sum over the entries e with row_indices[e] = r of values[e] * x[col_indices[e]].
// Overwrites y where the original adds to it; the same thing, since the caller hands it in zeroed.
// The library's COO product wants the entries in the order of their rows, and sorting them would take longer than the
// product. As a matrix in compressed columns with one entry in each the list needs no order: x is gathered to the
// entries, and y = A' x' with A' [rows, nnz], whose column offsets 0, 1, .. nnz depend on the size alone.
// Differences: the order of the additions may vary between calls. BF16: y is added up in FP32 and rounded by a kernel
// of our own, because the additions are atomic.
//
// The number of columns is not passed. The gather reads x only at the indices it meets, so a bound stands for it.
#include <cusparse.h>
#include <cuda_bf16.h>

#include <cstdint>

#include "mskb/baseline.hpp"

namespace {

constexpr std::int64_t column_bound = std::int64_t{1} << 30;
constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_CSR_ALG1;  // also for CSC

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

// gathered[e] = x[col_indices[e]]
void gather(int nnz, const int* col_indices, const void* x, void* gathered, cudaDataType type) {
  cusparseConstDnVecDescr_t from = nullptr;
  cusparseSpVecDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstDnVec(&from, column_bound, x, type));
  MSKB_CALL(cusparseCreateSpVec(&to, column_bound, nnz, const_cast<int*>(col_indices), gathered, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_SUPPORTED(cusparseGather(handle(), from, to));
  MSKB_CALL(cusparseDestroySpVec(to));
  MSKB_CALL(cusparseDestroyDnVec(from));
}

// values and x are of one type, y is FP32.
void multiply(int rows, int nnz, const void* values, const int* row_indices, const int* col_indices, const void* x,
              float* y, cudaDataType type, std::size_t element_bytes) {
  static mskb::Workspace at_entries, workspace;
  void* gathered = at_entries.at_least(nnz * element_bytes);
  gather(nnz, col_indices, x, gathered, type);

  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnVecDescr_t from = nullptr;
  cusparseDnVecDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsc(&matrix, rows, nnz, nnz, numbers(nnz + 1), row_indices, values, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnVec(&from, nnz, gathered, type));
  MSKB_CALL(cusparseCreateDnVec(&to, rows, y, CUDA_R_32F));

  const float one = 1.0f;
  const float zero = 0.0f;
  std::size_t bytes = 0;
  MSKB_SUPPORTED(cusparseSpMV_bufferSize(handle(), plain, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm,
                                         &bytes));
  MSKB_CALL(cusparseSpMV(handle(), plain, &one, matrix, from, &zero, to, CUDA_R_32F, algorithm,
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

extern "C" void spmv_coo(int rows, int nnz, const float* values, const int* row_indices, const int* col_indices,
                         const float* x, float* y) {
  multiply(rows, nnz, values, row_indices, col_indices, x, y, CUDA_R_32F, sizeof(float));
}

extern "C" void spmv_coo_bf16(int rows, int nnz, const __nv_bfloat16* values, const int* row_indices,
                              const int* col_indices, const __nv_bfloat16* x, __nv_bfloat16* y) {
  static mskb::Workspace workspace;
  float* sums = static_cast<float*>(workspace.at_least(rows * sizeof(float)));
  multiply(rows, nnz, values, row_indices, col_indices, x, sums, CUDA_R_16BF, sizeof(__nv_bfloat16));
  round_kernel<<<(rows + 255) / 256, 256>>>(sums, y, rows);
  MSKB_CALL(cudaGetLastError());
}
