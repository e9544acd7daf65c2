// y[r] = sum over the slots e of row r with col_ids[r,e] != -1 of values[r,e] * x[col_ids[r,e]], rows of equal width
// with padding (column -1, value 0) behind the entries.
// The library has no such format: its Blocked-ELL does not multiply vectors, and its Sliced-ELL wants the number of
// entries and slices of many rows. The slots are read as CSR rows of equal length instead, whose offsets depend on the
// sizes alone. Padding then needs a column: a kernel of our own copies col_ids in every call with 0 for -1.
// Differences: padding adds 0 * x[0], so that an infinite or NaN x[0] would spread to every padded row. The library
// says that it expects unique indices; columns here may repeat, and repeats must be summed.
//
// The number of columns is not passed. A non-transposed product reads x only at the indices it meets, so a bound stands
// for it. The descriptors are made anew in every call: the library may keep its analysis of the contents in them.
#include <cusparse.h>
#include <cuda_bf16.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "mskb/baseline.hpp"

namespace {

constexpr std::int64_t column_bound = std::int64_t{1} << 30;
constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_CSR_ALG1;

cusparseHandle_t handle() {
  static mskb::PerDevice<cusparseHandle_t> handles;
  return handles.get(0, [](cusparseHandle_t& made) { MSKB_CALL(cusparseCreate(&made)); });
}

// 0, width, 2 * width, .. rows * width in device memory.
const int* offsets(int rows, int width) {
  static mskb::PerDevice<int*, std::pair<int, int>> kept;
  return kept.get({rows, width}, [rows, width](int*& made) {
    std::vector<int> numbers;
    for (int row = 0; row <= rows; ++row) numbers.push_back(row * width);
    MSKB_CALL(cudaMalloc(&made, numbers.size() * sizeof(int)));
    MSKB_CALL(cudaMemcpy(made, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice));
  });
}

__global__ void column_kernel(const int* col_ids, int* columns, int slots) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < slots) columns[i] = max(col_ids[i], 0);
}

// values, x and y are of one type.
void multiply(int rows, int width, const void* values, const int* col_ids, const void* x, void* y, cudaDataType type) {
  static mskb::Workspace without_padding, workspace;
  const int slots = rows * width;
  int* columns = static_cast<int*>(without_padding.at_least(slots * sizeof(int)));
  column_kernel<<<(slots + 255) / 256, 256>>>(col_ids, columns, slots);
  MSKB_CALL(cudaGetLastError());

  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnVecDescr_t from = nullptr;
  cusparseDnVecDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsr(&matrix, rows, column_bound, slots, offsets(rows, width), columns, values,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  MSKB_CALL(cusparseCreateConstDnVec(&from, column_bound, x, type));
  MSKB_CALL(cusparseCreateDnVec(&to, rows, y, type));

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

}  // namespace

extern "C" void spmv_ell(int rows, int max_nnz_per_row, const float* values, const int* col_ids, const float* x,
                         float* y) {
  multiply(rows, max_nnz_per_row, values, col_ids, x, y, CUDA_R_32F);
}

extern "C" void spmv_ell_bf16(int rows, int max_nnz_per_row, const __nv_bfloat16* values, const int* col_ids,
                              const __nv_bfloat16* x, __nv_bfloat16* y) {
  multiply(rows, max_nnz_per_row, values, col_ids, x, y, CUDA_R_16BF);
}
