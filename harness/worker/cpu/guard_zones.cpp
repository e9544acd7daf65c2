#include "worker/cpu/guard_zones.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

namespace mskb::worker {

GuardZones::GuardZones(std::byte* arena, std::uint64_t bytes, const wire::Call& call) : arena_(arena), bytes_(bytes) {
  if (arena_ == nullptr) {
    return;
  }
  ASAN_POISON_MEMORY_REGION(arena_, bytes_);
  for (std::uint32_t i = 0; i < call.argument_count; ++i) {
    if (call.roles[i] <= wire::ArgumentRole::inout) {
      ASAN_UNPOISON_MEMORY_REGION(arena_ + call.offsets[i], call.bytes[i]);
    }
  }
}

GuardZones::~GuardZones() {
  if (arena_ != nullptr) {
    ASAN_UNPOISON_MEMORY_REGION(arena_, bytes_);
  }
}

}  // namespace mskb::worker
