#include <chrono>
#include <cstdio>
#include <cstring>

#include "simt/include/mskb_simt/abi.h"
#include "simt/include/mskb_simt/driver_types.h"
#include "simt/runtime/device_limits.hpp"
#include "simt/runtime/errors.hpp"
#include "simt/runtime/graphs.hpp"
#include "simt/runtime/launches.hpp"

using namespace mskb::simt;

namespace {

long long nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int attribute(cudaDeviceAttr which) {
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock: return static_cast<int>(device::max_threads_per_block);
    case cudaDevAttrMaxBlockDimX: return static_cast<int>(device::max_block[0]);
    case cudaDevAttrMaxBlockDimY: return static_cast<int>(device::max_block[1]);
    case cudaDevAttrMaxBlockDimZ: return static_cast<int>(device::max_block[2]);
    case cudaDevAttrMaxGridDimX: return static_cast<int>(device::max_grid[0]);
    case cudaDevAttrMaxGridDimY: return static_cast<int>(device::max_grid[1]);
    case cudaDevAttrMaxGridDimZ: return static_cast<int>(device::max_grid[2]);
    case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(device::shared_per_block);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(device::shared_per_block_optin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(device::shared_per_multiprocessor);
    case cudaDevAttrReservedSharedMemoryPerBlock: return 1024;
    case cudaDevAttrTotalConstantMemory: return static_cast<int>(device::constant_memory);
    case cudaDevAttrWarpSize: return 32;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: return device::registers_per_block;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate: return 1000000;
    case cudaDevAttrGlobalMemoryBusWidth: return 64;
    case cudaDevAttrMultiProcessorCount: return device::multiprocessors;
    case cudaDevAttrL2CacheSize: return device::l2_bytes;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return device::threads_per_multiprocessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return device::blocks_per_multiprocessor;
    case cudaDevAttrComputeCapabilityMajor: return device::capability_major;
    case cudaDevAttrComputeCapabilityMinor: return device::capability_minor;
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrMemoryPoolsSupported: return 1;
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMaxPersistingL2CacheSize: return 0;
  }
  return 0;
}

}  // namespace

struct CUevent_st {
  long long when = 0;
  cudaStream_t stream = nullptr;
};
struct CUstream_st {
  unsigned flags = 0;
};

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* id) { return *id = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int id) { return id == 0 ? cudaSuccess : remember(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceSynchronize() { return context_error(); }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  *value = limit == cudaLimitStackSize ? 1024 : 0;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = 13000, cudaSuccess; }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  *value = attribute(which);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int id) {
  if (id != 0) return remember(cudaErrorInvalidDevice);
  *properties = {};
  cudaDeviceProp& p = *properties;
  std::snprintf(p.name, sizeof p.name, "CPU backend (compute capability %d.%d)", device::capability_major,
                device::capability_minor);
  p.totalGlobalMem = device::global_memory;
  p.sharedMemPerBlock = device::shared_per_block;
  p.sharedMemPerBlockOptin = device::shared_per_block_optin;
  p.sharedMemPerMultiprocessor = device::shared_per_multiprocessor;
  p.reservedSharedMemPerBlock = 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = device::registers_per_block;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = static_cast<int>(device::max_threads_per_block);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    p.maxThreadsDim[axis] = static_cast<int>(device::max_block[axis]);
    p.maxGridSize[axis] = static_cast<int>(device::max_grid[axis]);
  }
  p.totalConstMem = device::constant_memory;
  p.major = device::capability_major;
  p.minor = device::capability_minor;
  p.multiProcessorCount = device::multiprocessors;
  p.maxThreadsPerMultiProcessor = device::threads_per_multiprocessor;
  p.maxBlocksPerMultiProcessor = device::blocks_per_multiprocessor;
  p.l2CacheSize = device::l2_bytes;
  p.memoryBusWidth = 64;
  p.concurrentKernels = p.managedMemory = p.unifiedAddressing = p.memoryPoolsSupported = 1;
  return cudaSuccess;
}

cudaError_t mskb_simt_set_attribute(const void* kernel, cudaFuncAttribute which, int value) {
  if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::size_t>(value) > device::shared_per_block_optin)
    return remember(cudaErrorInvalidValue);
  set_dynamic_shared_limit(kernel, static_cast<std::size_t>(value));
  return cudaSuccess;
}

cudaError_t mskb_simt_get_attributes(cudaFuncAttributes* attributes, const void* kernel) {
  *attributes = {};
  attributes->maxThreadsPerBlock = static_cast<int>(device::max_threads_per_block);
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = device::capability_major * 10 + device::capability_minor;
  const std::size_t limit = dynamic_shared_limit(kernel);
  attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(limit > device::shared_per_block ? limit : device::shared_per_block);
  return cudaSuccess;
}

cudaError_t mskb_simt_occupancy(int* blocks, int block_size, std::size_t dynamic_shared) {
  if (block_size <= 0 || block_size > static_cast<int>(device::max_threads_per_block))
    return remember(cudaErrorInvalidValue);
  int fit = device::threads_per_multiprocessor / block_size;
  if (fit > device::blocks_per_multiprocessor) fit = device::blocks_per_multiprocessor;
  if (dynamic_shared > 0) {
    const int by_shared = static_cast<int>(device::shared_per_multiprocessor / dynamic_shared);
    if (by_shared < fit) fit = by_shared;
  }
  *blocks = fit;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return *stream = new CUstream_st{flags}, cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) { return *least = *greatest = 0, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (reinterpret_cast<std::size_t>(stream) > 2) delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return context_error(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return context_error(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  fork_capture(event->stream, stream);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return *event = new CUevent_st, cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->when = nanoseconds();
  event->stream = stream;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return context_error(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return context_error(); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = static_cast<float>(to->when - from->when) * 1e-6F;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) { return *pool = nullptr, cudaSuccess; }
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int) { return *pool = nullptr, cudaSuccess; }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

long long mskb_simt_clock() { return nanoseconds(); }
}
