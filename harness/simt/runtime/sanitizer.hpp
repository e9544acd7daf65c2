// AddressSanitizer's interface, empty where the run-time is built without it.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

namespace mskb::simt::sanitizer {
constexpr bool address = true;
inline void before_switch(void** fake_stack, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(fake_stack, bottom, size);
}
inline void after_switch(void* fake_stack, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(fake_stack, bottom, size);
}
inline void unpoison(const void* memory, std::size_t size) { __asan_unpoison_memory_region(memory, size); }
}  // namespace mskb::simt::sanitizer
#else
namespace mskb::simt::sanitizer {
constexpr bool address = false;
inline void before_switch(void**, const void*, std::size_t) {}
inline void after_switch(void*, const void**, std::size_t*) {}
inline void unpoison(const void*, std::size_t) {}
}  // namespace mskb::simt::sanitizer
#endif
