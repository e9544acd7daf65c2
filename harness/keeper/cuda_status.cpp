#include "keeper/cuda_status.hpp"

#include <string>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "keeper/device.hpp"
#include "keeper/text.hpp"

namespace mskb::keeper {

void check_cuda(cudaError_t status, const char* call) {
  if (status != cudaSuccess) {
    throw HarnessError(fmt::format("{}: {} ({})", call, cudaGetErrorName(status), cudaGetErrorString(status)));
  }
}

void check_driver(CUresult status, const char* call) {
  if (status != CUDA_SUCCESS) {
    throw HarnessError(fmt::format("{}: driver error {}", call, static_cast<int>(status)));
  }
}

void throw_too_large(std::uint64_t bytes) {
  std::size_t free_bytes = 0, total = 0;
  cudaMemGetInfo(&free_bytes, &total);
  throw DoesNotFit(
      fmt::format("the case needs {} bytes of device memory at once, {} of {} are free", bytes, free_bytes, total));
}

namespace {

template <class Function>
void find(Function& function, const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  check_cuda(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result),
             "cudaGetDriverEntryPointByVersion");
#else
  check_cuda(cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result), "cudaGetDriverEntryPoint");
#endif
  if (result != cudaDriverEntryPointSuccess || found == nullptr) {
    throw HarnessError(fmt::format("the driver has no {}", name));
  }
  function = reinterpret_cast<Function>(found);
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

// FP32 lanes of a multiprocessor, each a multiply and an add per clock.
int fp32_lanes(int major, int minor) { return major < 8 || (major == 8 && minor == 0) ? 64 : 128; }

}  // namespace

Driver load_driver() {
  Driver driver{};
  find(driver.get_granularity, "cuMemGetAllocationGranularity");
  find(driver.create, "cuMemCreate");
  find(driver.release, "cuMemRelease");
  find(driver.reserve, "cuMemAddressReserve");
  find(driver.free_address, "cuMemAddressFree");
  find(driver.map, "cuMemMap");
  find(driver.unmap, "cuMemUnmap");
  find(driver.set_access, "cuMemSetAccess");
  find(driver.export_handle, "cuMemExportToShareableHandle");
  return driver;
}

wire::DeviceFacts cuda_facts(int device) {
  wire::DeviceFacts facts{};
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  set_text(facts.name, properties.name);
  const auto* uuid = reinterpret_cast<const unsigned char*>(properties.uuid.bytes);
  std::string text = "GPU-";
  for (int k = 0; k < 16; ++k) {
    text += fmt::format("{}{:02x}", k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "", uuid[k]);
  }
  set_text(facts.uuid, text);
  facts.capability_major = static_cast<std::uint32_t>(properties.major);
  facts.capability_minor = static_cast<std::uint32_t>(properties.minor);
  facts.multiprocessors = static_cast<std::uint32_t>(properties.multiProcessorCount);
  int driver = 0, runtime = 0;
  check_cuda(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check_cuda(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  facts.driver_version = static_cast<std::uint32_t>(driver);
  facts.runtime_version = static_cast<std::uint32_t>(runtime);
  std::size_t free_bytes = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &total), "cudaMemGetInfo");
  facts.memory_bytes = total;
  facts.free_bytes = free_bytes;
  facts.l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  // Clocks are in kHz; two transfers per clock over the bus.
  facts.memory_bandwidth =
      2e3 * attribute(cudaDevAttrMemoryClockRate, device) * attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8;
  facts.fp32_flops = 2e3 * attribute(cudaDevAttrClockRate, device) * properties.multiProcessorCount *
                     fp32_lanes(properties.major, properties.minor);
  return facts;
}

}  // namespace mskb::keeper
