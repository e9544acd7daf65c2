#include "simt/runtime/memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "base/counted.hpp"
#include "simt/include/mskb_simt/driver_types.h"
#include "simt/runtime/device_limits.hpp"
#include "simt/runtime/errors.hpp"
#include "simt/runtime/faults.hpp"
#include "simt/runtime/graphs.hpp"
#include "simt/runtime/host_threads.hpp"
#include "simt/runtime/sanitizer.hpp"

namespace mskb::simt {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t guard = sanitizer::address ? 0 : 256;
constexpr unsigned char uninitialised = 0xCB;
constexpr unsigned char guard_byte = 0x5C;

std::map<std::uintptr_t, std::size_t> allocations;  // address -> bytes
std::size_t allocated = 0;

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }
char* at(std::uintptr_t address) { return reinterpret_cast<char*>(address); }

void check(std::uintptr_t address, std::size_t bytes) {
  const auto scan = [&](char* begin, bool behind) {
    for (std::size_t i = 0; i < guard; ++i) {
      if (static_cast<unsigned char>(begin[i]) == guard_byte) continue;
      report_fault(FaultKind::global_overflow, {},
                   "out of bounds: something was written " + counted(behind ? i : guard - i, "byte") +
                       (behind ? " behind the end" : " before the start") + " of an allocation of " + counted(bytes, "byte"));
      std::memset(begin, guard_byte, guard);
      return;
    }
  };
  scan(at(address) - guard, false);
  scan(at(address) + bytes, true);
}

cudaError_t allocate(void** pointer, std::size_t bytes) {
  const OneHostThread alone(host_threads);
  if (const auto lost = context_error(); lost != cudaSuccess) return lost;
  if (pointer == nullptr) return remember(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > device::global_memory || allocated + bytes > device::global_memory)
    return remember(cudaErrorMemoryAllocation);
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, bytes + 2 * guard) != 0) return remember(cudaErrorMemoryAllocation);
  char* usable = static_cast<char*>(memory) + guard;
  std::memset(usable, uninitialised, bytes);
  std::memset(memory, guard_byte, guard);
  std::memset(usable + bytes, guard_byte, guard);
  allocations[number(usable)] = bytes;
  allocated += bytes;
  *pointer = usable;
  return cudaSuccess;
}

cudaError_t release(void* pointer) {
  const OneHostThread alone(host_threads);
  if (pointer == nullptr) return cudaSuccess;
  const auto known = allocations.find(number(pointer));
  if (known == allocations.end()) {
    report_fault(FaultKind::invalid_free, {},
                 "cudaFree of an address that no allocation starts at, or that was freed already");
    return remember(cudaErrorInvalidValue);
  }
  check(known->first, known->second);
  allocated -= known->second;
  allocations.erase(known);
  std::free(static_cast<char*>(pointer) - guard);
  return cudaSuccess;
}

bool fits(const void* address, std::size_t count, const char* call) {
  bool known = false;
  const std::size_t room = bytes_behind(address, known);
  if (!known || count <= room) return true;
  report_fault(FaultKind::copy_out_of_bounds, {},
               "out of bounds: " + std::string(call) + " of " + counted(count, "byte") +
                   " where the allocation has " + std::to_string(room) + " left");
  return false;
}

cudaError_t move(void* to, const void* from, std::size_t count, void* stream) {
  const OneHostThread alone(host_threads);
  if (const auto lost = context_error(); lost != cudaSuccess) return lost;
  if (count == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr || !fits(to, count, "cudaMemcpy") || !fits(from, count, "cudaMemcpy")) {
    return remember(cudaErrorInvalidValue);
  }
  if (!capture(stream, [=] { std::memmove(to, from, count); })) std::memmove(to, from, count);
  return cudaSuccess;
}

cudaError_t set(void* to, int value, std::size_t count, void* stream) {
  const OneHostThread alone(host_threads);
  if (const auto lost = context_error(); lost != cudaSuccess) return lost;
  if (count == 0) return cudaSuccess;
  if (to == nullptr || !fits(to, count, "cudaMemset")) return remember(cudaErrorInvalidValue);
  if (!capture(stream, [=] { std::memset(to, value, count); })) std::memset(to, value, count);
  return cudaSuccess;
}

}  // namespace

void check_allocation_guards() {
  if (guard == 0) return;
  for (const auto& [address, bytes] : allocations) check(address, bytes);
}

std::size_t bytes_behind(const void* address, bool& known) {
  auto next = allocations.upper_bound(number(address));
  known = false;
  if (next == allocations.begin()) return 0;
  --next;
  const std::size_t offset = number(address) - next->first;
  known = offset < next->second;
  return known ? next->second - offset : 0;
}

std::vector<Allocation> live_allocations() {
  std::vector<Allocation> live;
  for (const auto& [address, bytes] : allocations) live.push_back({at(address), bytes});
  return live;
}

}  // namespace mskb::simt

using namespace mskb::simt;

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) { return allocate(pointer, bytes); }
cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) { return allocate(pointer, bytes); }
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t) { return allocate(pointer, bytes); }
cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) { return allocate(pointer, bytes); }
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) { return allocate(pointer, bytes); }
cudaError_t cudaFree(void* pointer) { return release(pointer); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return release(pointer); }
cudaError_t cudaFreeHost(void* pointer) { return release(pointer); }
cudaError_t cudaHostRegister(void*, std::size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }

cudaError_t cudaHostGetDevicePointer(void** pointer, void* host, unsigned) { return *pointer = host, cudaSuccess; }

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return allocate(pointer, *pitch * height);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t count, cudaMemcpyKind) {
  return move(to, from, count, nullptr);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t count, cudaMemcpyKind, cudaStream_t stream) {
  return move(to, from, count, stream);
}
cudaError_t cudaMemset(void* to, int value, std::size_t count) { return set(to, value, count, nullptr); }
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t count, cudaStream_t stream) {
  return set(to, value, count, stream);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t stream) {
  if (width > to_pitch || width > from_pitch) return remember(cudaErrorInvalidPitchValue);
  for (std::size_t row = 0; row < height; ++row) {
    const auto error =
        move(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  if (width > pitch) return remember(cudaErrorInvalidPitchValue);
  for (std::size_t row = 0; row < height; ++row) {
    const auto error = set(static_cast<char*>(to) + row * pitch, value, width, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  *total = device::global_memory;
  *free_bytes = device::global_memory - allocated;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  bool known = false;
  bytes_behind(pointer, known);
  auto* address = const_cast<void*>(pointer);
  *attributes = {known ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, 0, address, address};
  return cudaSuccess;
}

int mskb_simt_copy_symbol(void* to, const void* from, std::size_t count, std::size_t offset, std::size_t size,
                          bool to_symbol) {
  if (offset > size || count > size - offset) {
    report_fault(FaultKind::copy_out_of_bounds, {},
                 "out of bounds: a copy of " + mskb::counted(count, "byte") + " at offset " + std::to_string(offset) +
                     " of a symbol of " + mskb::counted(size, "byte"));
    return remember(cudaErrorInvalidValue);
  }
  return to_symbol ? move(static_cast<char*>(to) + offset, from, count, nullptr)
                   : move(to, static_cast<const char*>(from) + offset, count, nullptr);
}
}
