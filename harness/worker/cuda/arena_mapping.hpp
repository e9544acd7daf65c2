#pragma once
#include <cuda.h>

#include <cstddef>
#include <cstdint>

#include "base/unique_fd.hpp"

namespace mskb::worker {

// Another process's device memory in this process's current context, from its POSIX descriptor. Throws std::runtime_error naming the driver's
// call and error.
class ArenaMapping {
 public:
  ArenaMapping(UniqueFd memory, std::uint64_t bytes, int device);
  ~ArenaMapping();
  ArenaMapping(const ArenaMapping&) = delete;
  ArenaMapping& operator=(const ArenaMapping&) = delete;

  std::byte* address() const { return reinterpret_cast<std::byte*>(address_); }

 private:
  void release();

  CUdeviceptr address_ = 0;
  std::size_t reserved_ = 0;
  bool mapped_ = false;
};

}  // namespace mskb::worker
