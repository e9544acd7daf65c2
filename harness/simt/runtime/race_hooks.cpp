// The functions that a compiler's -fsanitize=thread calls, and the one that our headers' atomics call.
#include "simt/runtime/race_hooks.hpp"

#include <cstdint>

using mskb::simt::races::access;
using mskb::simt::races::Kind;

#define MSKB_HERE __builtin_return_address(0)

extern "C" {

void mskb_simt_atomic(const void* address, std::size_t size, const void* pc) { access(address, size, Kind::atomic, pc); }

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void** address) { access(address, sizeof(void*), Kind::read, MSKB_HERE); }
void __tsan_vptr_update(void** address, void*) { access(address, sizeof(void*), Kind::write, MSKB_HERE); }
void __tsan_read_range(void* address, std::size_t size) { access(address, size, Kind::read, MSKB_HERE); }
void __tsan_write_range(void* address, std::size_t size) { access(address, size, Kind::write, MSKB_HERE); }

#define MSKB_ACCESS(size)                                                                                                      \
  void __tsan_read##size(void* address) { access(address, size, Kind::read, MSKB_HERE); }                                      \
  void __tsan_write##size(void* address) { access(address, size, Kind::write, MSKB_HERE); }                                    \
  void __tsan_unaligned_read##size(void* address) { access(address, size, Kind::read, MSKB_HERE); }                            \
  void __tsan_unaligned_write##size(void* address) { access(address, size, Kind::write, MSKB_HERE); }                          \
  void __tsan_volatile_read##size(void* address) { access(address, size, Kind::volatile_read, MSKB_HERE); }                    \
  void __tsan_volatile_write##size(void* address) { access(address, size, Kind::volatile_write, MSKB_HERE); }                  \
  void __tsan_unaligned_volatile_read##size(void* address) { access(address, size, Kind::volatile_read, MSKB_HERE); }          \
  void __tsan_unaligned_volatile_write##size(void* address) { access(address, size, Kind::volatile_write, MSKB_HERE); }
MSKB_ACCESS(1)
MSKB_ACCESS(2)
MSKB_ACCESS(4)
MSKB_ACCESS(8)
MSKB_ACCESS(16)
#undef MSKB_ACCESS

// The compiler's own atomics; the memory order is taken as the strongest.
#define MSKB_FETCH(name, bits, expression)                                                                                    \
  std::uint##bits##_t __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* address, std::uint##bits##_t value, int) {   \
    access(const_cast<const std::uint##bits##_t*>(address), bits / 8, Kind::atomic, MSKB_HERE);                               \
    const std::uint##bits##_t old = *address;                                                                                 \
    *address = static_cast<std::uint##bits##_t>(expression);                                                                  \
    return old;                                                                                                               \
  }
#define MSKB_COMPARE(name, bits)                                                                                              \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile std::uint##bits##_t* address, std::uint##bits##_t* expected,     \
                                                    std::uint##bits##_t value, int, int) {                                    \
    access(const_cast<const std::uint##bits##_t*>(address), bits / 8, Kind::atomic, MSKB_HERE);                               \
    const std::uint##bits##_t old = *address;                                                                                 \
    const bool equal = old == *expected;                                                                                      \
    if (equal) *address = value;                                                                                              \
    *expected = old;                                                                                                          \
    return equal;                                                                                                             \
  }
#define MSKB_ATOMICS(bits)                                                                                                    \
  std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* address, int) {                          \
    access(const_cast<const std::uint##bits##_t*>(address), bits / 8, Kind::volatile_read, MSKB_HERE);                        \
    return *address;                                                                                                          \
  }                                                                                                                           \
  void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* address, std::uint##bits##_t value, int) {                   \
    access(const_cast<const std::uint##bits##_t*>(address), bits / 8, Kind::volatile_write, MSKB_HERE);                       \
    *address = value;                                                                                                         \
  }                                                                                                                           \
  MSKB_FETCH(exchange, bits, value)                                                                                           \
  MSKB_FETCH(fetch_add, bits, old + value)                                                                                    \
  MSKB_FETCH(fetch_sub, bits, old - value)                                                                                    \
  MSKB_FETCH(fetch_and, bits, old& value)                                                                                     \
  MSKB_FETCH(fetch_or, bits, old | value)                                                                                     \
  MSKB_FETCH(fetch_xor, bits, old ^ value)                                                                                    \
  MSKB_COMPARE(strong, bits)                                                                                                  \
  MSKB_COMPARE(weak, bits)
MSKB_ATOMICS(8)
MSKB_ATOMICS(16)
MSKB_ATOMICS(32)
MSKB_ATOMICS(64)
#undef MSKB_ATOMICS
#undef MSKB_COMPARE
#undef MSKB_FETCH

void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}
}
