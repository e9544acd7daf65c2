#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include "base/unique_fd.hpp"

namespace mskb {

// Exportable device memory, owned by this process as a keeper would own it.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::byte* address() const { return reinterpret_cast<std::byte*>(address_); }
  std::size_t bytes() const { return bytes_; }
  int descriptor() const { return descriptor_.get(); }

 private:
  CUmemGenericAllocationHandle handle_ = 0;
  CUdeviceptr address_ = 0;
  std::size_t bytes_ = 0;
  UniqueFd descriptor_;
};

bool has_device();

}  // namespace mskb
