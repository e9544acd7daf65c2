#include "worker/cuda/arena_mapping.hpp"

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace mskb::worker {

namespace {

// The driver's functions come through the run-time, so that the program starts (and can say why it fails) where there is no driver.
template <class Function>
Function driver_function(const char* name) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &address, 12000, cudaEnableDefault, &found);
  if (error != cudaSuccess || found != cudaDriverEntryPointSuccess || address == nullptr) {
    throw std::runtime_error(std::string("the CUDA driver has no ") + name);
  }
  return reinterpret_cast<Function>(address);
}

#define MSKB_DRIVER(name) driver_function<decltype(&::name)>(#name)

void require(CUresult result, const char* step) {
  if (result == CUDA_SUCCESS) {
    return;
  }
  const char* name = nullptr;
  MSKB_DRIVER(cuGetErrorName)(result, &name);
  throw std::runtime_error(std::string(step) + ": " + (name != nullptr ? name : "unknown driver error"));
}

}  // namespace

ArenaMapping::ArenaMapping(UniqueFd memory, std::uint64_t bytes, int device) {
  CUmemGenericAllocationHandle handle = 0;
  require(MSKB_DRIVER(cuMemImportFromShareableHandle)(&handle, reinterpret_cast<void*>(static_cast<std::uintptr_t>(memory.get())),
                                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
          "import the arena");
  const auto drop_handle = MSKB_DRIVER(cuMemRelease);
  try {
    CUmemAllocationProp properties{};
    require(MSKB_DRIVER(cuMemGetAllocationPropertiesFromHandle)(&properties, handle), "read the arena's properties");
    std::size_t granularity = 0;
    require(MSKB_DRIVER(cuMemGetAllocationGranularity)(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            "read the arena's granularity");
    reserved_ = (bytes + granularity - 1) / granularity * granularity;
    require(MSKB_DRIVER(cuMemAddressReserve)(&address_, reserved_, 0, 0, 0), "reserve addresses for the arena");
    require(MSKB_DRIVER(cuMemMap)(address_, reserved_, 0, handle, 0), "map the arena");
    mapped_ = true;
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    require(MSKB_DRIVER(cuMemSetAccess)(address_, reserved_, &access, 1), "make the arena accessible");
  } catch (...) {
    release();
    drop_handle(handle);
    throw;
  }
  drop_handle(handle);  // the mapping keeps the memory
}

ArenaMapping::~ArenaMapping() { release(); }

void ArenaMapping::release() {
  if (mapped_) {
    MSKB_DRIVER(cuMemUnmap)(address_, reserved_);
  }
  if (address_ != 0) {
    MSKB_DRIVER(cuMemAddressFree)(address_, reserved_);
  }
  mapped_ = false;
  address_ = 0;
}

}  // namespace mskb::worker
