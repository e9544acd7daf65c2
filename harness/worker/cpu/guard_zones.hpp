#pragma once
#include <cstddef>
#include <cstdint>

#include "wire/worker_messages.hpp"

namespace mskb::worker {

// While it lives, AddressSanitizer refuses every access to the arena outside the call's buffers. Does nothing in a plain build.
class GuardZones {
 public:
  GuardZones(std::byte* arena, std::uint64_t bytes, const wire::Call& call);
  ~GuardZones();
  GuardZones(const GuardZones&) = delete;
  GuardZones& operator=(const GuardZones&) = delete;

 private:
  std::byte* arena_;
  std::uint64_t bytes_;
};

}  // namespace mskb::worker
