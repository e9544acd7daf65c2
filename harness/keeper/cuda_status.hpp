#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "wire/keeper_messages.hpp"

namespace mskb::keeper {

// Throw HarnessError with the call and the error's name unless it succeeded.
void check_cuda(cudaError_t status, const char* call);
void check_driver(CUresult status, const char* call);

// Throws DoesNotFit with the bytes needed and free.
[[noreturn]] void throw_too_large(std::uint64_t bytes);

// The driver's calls for memory that processes share, found at run time, so that the program starts where no driver is
// installed.
struct Driver {
  decltype(&cuMemGetAllocationGranularity) get_granularity;
  decltype(&cuMemCreate) create;
  decltype(&cuMemRelease) release;
  decltype(&cuMemAddressReserve) reserve;
  decltype(&cuMemAddressFree) free_address;
  decltype(&cuMemMap) map;
  decltype(&cuMemUnmap) unmap;
  decltype(&cuMemSetAccess) set_access;
  decltype(&cuMemExportToShareableHandle) export_handle;
};
Driver load_driver();

wire::DeviceFacts cuda_facts(int device);

}  // namespace mskb::keeper
