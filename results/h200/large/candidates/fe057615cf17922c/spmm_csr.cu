// Y[r,k] = sum over the entries j of row r of values[j] * X[col_indices[j],k], CSR with 32-bit indices from 0, X and Y
// row-major. ALG2 is the library's algorithm for row-major matrices.
// Differences: the library says that it expects unique indices; columns here may be unsorted and may repeat, and
// repeats must be summed. BF16: the library writes FP32, which a kernel of our own rounds to Y inside the call, because
// with a BF16 Y it rounds partial sums too.
//
// The entry point passes neither the number of entries nor that of columns, and the descriptors want both.
// - Entries: row_offsets[rows], read from the device in every call. It is contents, so it must not be kept; the copy
//   and its wait are the price of this interface and are timed.
// - Columns: a bound, the most rows that X can have with fewer than 2^31 elements, but at most 2^30, and enough to
//   hold the entries if none repeated, which the library asks for. A non-transposed product reads only the rows of X
//   that it meets.
// For the same reason the descriptors are made anew in every call: the library may keep its analysis in them.
#include <cusparse.h>
#include <cuda_bf16.h>

#include <algorithm>
#include <climits>

#include "mskb/baseline.hpp"

namespace {

constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr cusparseSpMMAlg_t algorithm = CUSPARSE_SPMM_CSR_ALG2;

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

// values and X are of one type, Y is FP32.
void multiply(int rows, int K, const void* values, const int* col_indices, const int* row_offsets, const void* X,
              float* Y, cudaDataType type) {
  static mskb::Workspace workspace;
  const int entries = entries_of(row_offsets, rows);
  if (entries == 0) {
    MSKB_CALL(cudaMemsetAsync(Y, 0, sizeof(float) * rows * K));
    return;
  }

  const cusparseHandle_t handle = library().handle;
  const int columns = std::max(std::min(INT_MAX / K, 1 << 30), entries / rows + (entries % rows != 0));
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseConstDnMatDescr_t from = nullptr;
  cusparseDnMatDescr_t to = nullptr;
  MSKB_CALL(cusparseCreateConstCsr(&matrix, rows, columns, entries, row_offsets, col_indices, values,
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
  round_kernel<<<static_cast<unsigned>((elements + 1023) / 1024), 256>>>(sums, Y, elements);
  MSKB_CALL(cudaGetLastError());
}

}  // namespace

extern "C" void spmm_csr(int rows, int K, const float* values, const int* col_indices, const int* row_offsets,
                         const float* X, float* Y) {
  multiply(rows, K, values, col_indices, row_offsets, X, Y, CUDA_R_32F);
}

extern "C" void spmm_csr_bf16(int rows, int K, const __nv_bfloat16* values, const int* col_indices,
                              const int* row_offsets, const __nv_bfloat16* X, __nv_bfloat16* Y) {
  const std::size_t elements = std::size_t{1} * rows * K;
  float* sums = sums_for(elements);
  multiply(rows, K, values, col_indices, row_offsets, X, sums, CUDA_R_16BF);
  store_rounded(sums, Y, elements);
}
