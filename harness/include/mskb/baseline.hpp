// For the author of a library baseline: checked calls, and a place for what depends only on sizes and device.
// Include the library's own header first; its status type is then one that MSKB_CALL understands. C++17.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace mskb {

// The library cannot do this operation, precision or size at all. The harness turns it into the verdict `skipped` and
// shows the reason. The text always begins with "unsupported: ", for a caller that sees only std::exception.
class Unsupported : public std::runtime_error {
 public:
  explicit Unsupported(const std::string& reason) : std::runtime_error("unsupported: " + reason) {}
};

// status_name: the name of a status in its library's header. means_unsupported: whether it is the library's own way to
// say that it cannot do what was asked, as opposed to a mistake or a failure.
inline std::string status_name(cudaError_t status) { return cudaGetErrorName(status); }
inline bool means_unsupported(cudaError_t status) { return status == cudaErrorNotSupported; }

#ifdef CUBLAS_API_H_
inline std::string status_name(cublasStatus_t status) { return cublasGetStatusName(status); }
inline bool means_unsupported(cublasStatus_t status) {
  return status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH;
}
#endif

#ifdef CUSPARSE_H_
inline std::string status_name(cusparseStatus_t status) { return cusparseGetErrorName(status); }
inline bool means_unsupported(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_NOT_SUPPORTED || status == CUSPARSE_STATUS_ARCH_MISMATCH;
}
#endif

#ifdef _CUFFT_H_
// The library offers no function for its names. Enumerators that only some versions have are told by number.
inline std::string status_name(cufftResult status) {
  switch (status) {
    case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN";
    case CUFFT_ALLOC_FAILED: return "CUFFT_ALLOC_FAILED";
    case CUFFT_INVALID_TYPE: return "CUFFT_INVALID_TYPE";
    case CUFFT_INVALID_VALUE: return "CUFFT_INVALID_VALUE";
    case CUFFT_INTERNAL_ERROR: return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED: return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED: return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE";
    case CUFFT_UNALIGNED_DATA: return "CUFFT_UNALIGNED_DATA";
    case CUFFT_INVALID_DEVICE: return "CUFFT_INVALID_DEVICE";
    case CUFFT_NO_WORKSPACE: return "CUFFT_NO_WORKSPACE";
    case CUFFT_NOT_IMPLEMENTED: return "CUFFT_NOT_IMPLEMENTED";
    case CUFFT_NOT_SUPPORTED: return "CUFFT_NOT_SUPPORTED";
    default: return "cufftResult " + std::to_string(static_cast<int>(status));
  }
}
inline bool means_unsupported(cufftResult status) {
  return status == CUFFT_NOT_SUPPORTED || status == CUFFT_NOT_IMPLEMENTED;
}
#endif

#ifdef CUDNN_H_
inline std::string status_name(cudnnStatus_t status) { return cudnnGetErrorString(status); }
inline bool means_unsupported(cudnnStatus_t status) {
#if CUDNN_VERSION >= 90000
  return status >= CUDNN_STATUS_NOT_SUPPORTED && status < CUDNN_STATUS_NOT_SUPPORTED + 1000;  // a family since 9.0
#else
  return status == CUDNN_STATUS_NOT_SUPPORTED || status == CUDNN_STATUS_ARCH_MISMATCH;
#endif
}
#endif

namespace detail {
template <class Status>
std::string describe(Status status, const char* call, const char* file, int line) {
  return std::string(call) + " returned " + status_name(status) + " (" + file + ":" + std::to_string(line) + ")";
}
}  // namespace detail

// Throws std::runtime_error that names call, status, file and line unless the status is success (0 in every library).
template <class Status>
void check(Status status, const char* call, const char* file, int line) {
  if (static_cast<int>(status) != 0) throw std::runtime_error(detail::describe(status, call, file, line));
}

// The same, but the library's own "not supported" statuses throw Unsupported. For calls whose arguments are known to
// be right, so that a refusal speaks about the library and not about the caller.
template <class Status>
void check_support(Status status, const char* call, const char* file, int line) {
  if (static_cast<int>(status) != 0 && means_unsupported(status))
    throw Unsupported(detail::describe(status, call, file, line));
  check(status, call, file, line);
}

#define MSKB_CALL(expression) ::mskb::check((expression), #expression, __FILE__, __LINE__)
#define MSKB_SUPPORTED(expression) ::mskb::check_support((expression), #expression, __FILE__, __LINE__)

// Things made once per device and key and kept until the process ends: handles, plans, descriptors. The key holds
// sizes only, never contents or addresses. They are not destroyed: at exit the CUDA context may be gone before them.
// One thread at a time. Value needs a default constructor and keeps its address.
template <class Value, class Key = int>
class PerDevice {
 public:
  // make(Value&) runs the first time; if it throws, nothing is kept.
  template <class Make>
  Value& get(const Key& key, Make&& make) {
    int device = 0;
    MSKB_CALL(cudaGetDevice(&device));
    const std::pair<int, Key> place(device, key);
    auto found = kept_.find(place);
    if (found == kept_.end()) {
      Value value{};
      make(value);
      found = kept_.emplace(place, std::move(value)).first;
    }
    return found->second;
  }

 private:
  std::map<std::pair<int, Key>, Value> kept_;
};

// Device memory that only grows, one block per device; 256-byte aligned. Its contents do not outlive a call.
class Workspace {
 public:
  void* at_least(std::size_t bytes) {
    Block& block = blocks_.get(0, [](Block&) {});
    if (bytes > block.bytes) {
      MSKB_CALL(cudaFree(block.memory));
      block = Block{};
      MSKB_CALL(cudaMalloc(&block.memory, bytes));
      block.bytes = bytes;
    }
    return block.memory;
  }

 private:
  struct Block {
    void* memory = nullptr;
    std::size_t bytes = 0;
  };
  PerDevice<Block> blocks_;
};

}  // namespace mskb
