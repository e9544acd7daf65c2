#include "device_memory.hpp"

#include <stdexcept>
#include <string>

namespace mskb {

namespace {

template <class Function>
Function driver_function(const char* name) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  if (cudaGetDriverEntryPointByVersion(name, &address, 12000, cudaEnableDefault, &found) != cudaSuccess || address == nullptr) {
    throw std::runtime_error(std::string("no ") + name);
  }
  return reinterpret_cast<Function>(address);
}

void require(CUresult result, const char* step) {
  if (result != CUDA_SUCCESS) {
    throw std::runtime_error(std::string(step) + ": driver error " + std::to_string(result));
  }
}

}  // namespace

#define DRIVER(name) driver_function<decltype(&::name)>(#name)

DeviceMemory::DeviceMemory(std::size_t bytes) {
  cudaFree(nullptr);
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  std::size_t granularity = 0;
  require(DRIVER(cuMemGetAllocationGranularity)(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM), "granularity");
  bytes_ = (bytes + granularity - 1) / granularity * granularity;
  require(DRIVER(cuMemCreate)(&handle_, bytes_, &properties, 0), "create");
  int descriptor = -1;
  require(DRIVER(cuMemExportToShareableHandle)(&descriptor, handle_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), "export");
  descriptor_.reset(descriptor);
  require(DRIVER(cuMemAddressReserve)(&address_, bytes_, 0, 0, 0), "reserve");
  require(DRIVER(cuMemMap)(address_, bytes_, 0, handle_, 0), "map");
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  require(DRIVER(cuMemSetAccess)(address_, bytes_, &access, 1), "access");
}

DeviceMemory::~DeviceMemory() {
  DRIVER(cuMemUnmap)(address_, bytes_);
  DRIVER(cuMemAddressFree)(address_, bytes_);
  DRIVER(cuMemRelease)(handle_);
}

bool has_device() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

}  // namespace mskb
