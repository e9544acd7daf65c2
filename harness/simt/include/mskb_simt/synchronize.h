// Barriers, warp operations, fences and clocks.
#pragma once

#include <string.h>

#include "mskb_simt/abi.h"
#include "mskb_simt/qualifiers.h"

inline void __syncthreads(MSKB_SIMT_HERE) { mskb_simt_barrier(mskb_simt::BarrierKind::plain, 0, mskb_file, mskb_line); }
inline int __syncthreads_count(int predicate, MSKB_SIMT_HERE) {
  return mskb_simt_barrier(mskb_simt::BarrierKind::count, predicate, mskb_file, mskb_line);
}
inline int __syncthreads_and(int predicate, MSKB_SIMT_HERE) {
  return mskb_simt_barrier(mskb_simt::BarrierKind::all, predicate, mskb_file, mskb_line);
}
inline int __syncthreads_or(int predicate, MSKB_SIMT_HERE) {
  return mskb_simt_barrier(mskb_simt::BarrierKind::any, predicate, mskb_file, mskb_line);
}

namespace mskb_simt {

template <class T>
inline uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8, "a warp operation moves at most 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T>
inline T from_bits(uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof(T));
  return value;
}
inline uint64_t warp(WarpOperation operation, unsigned mask, uint64_t value, int argument, int width, const char* file,
                     int line) {
  const WarpRequest request{operation, mask, value, argument, width};
  return mskb_simt_warp(&request, file, line);
}

}  // namespace mskb_simt

inline void __syncwarp(unsigned mask = 0xffffffffu, MSKB_SIMT_HERE) {
  mskb_simt::warp(mskb_simt::WarpOperation::sync, mask, 0, 0, 32, mskb_file, mskb_line);
}
inline unsigned __activemask(MSKB_SIMT_HERE) { return mskb_simt_active_mask(mskb_file, mskb_line); }

#define MSKB_SHUFFLE(name, operation, argument_type)                                                             \
  template <class T>                                                                                             \
  inline T name(unsigned mask, T value, argument_type argument, int width = 32, MSKB_SIMT_HERE) {                \
    return mskb_simt::from_bits<T>(mskb_simt::warp(mskb_simt::WarpOperation::operation, mask,                    \
                                                   mskb_simt::to_bits(value), static_cast<int>(argument), width, \
                                                   mskb_file, mskb_line));                                       \
  }
MSKB_SHUFFLE(__shfl_sync, shuffle, int)
MSKB_SHUFFLE(__shfl_up_sync, shuffle_up, unsigned)
MSKB_SHUFFLE(__shfl_down_sync, shuffle_down, unsigned)
MSKB_SHUFFLE(__shfl_xor_sync, shuffle_xor, int)
#undef MSKB_SHUFFLE

inline unsigned __ballot_sync(unsigned mask, int predicate, MSKB_SIMT_HERE) {
  return static_cast<unsigned>(
      mskb_simt::warp(mskb_simt::WarpOperation::ballot, mask, predicate != 0, 0, 32, mskb_file, mskb_line));
}
inline int __any_sync(unsigned mask, int predicate, MSKB_SIMT_HERE) {
  return static_cast<int>(
      mskb_simt::warp(mskb_simt::WarpOperation::any, mask, predicate != 0, 0, 32, mskb_file, mskb_line));
}
inline int __all_sync(unsigned mask, int predicate, MSKB_SIMT_HERE) {
  return static_cast<int>(
      mskb_simt::warp(mskb_simt::WarpOperation::all, mask, predicate != 0, 0, 32, mskb_file, mskb_line));
}
template <class T>
inline unsigned __match_any_sync(unsigned mask, T value, MSKB_SIMT_HERE) {
  return static_cast<unsigned>(mskb_simt::warp(mskb_simt::WarpOperation::match_any, mask, mskb_simt::to_bits(value), 0,
                                               32, mskb_file, mskb_line));
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* all_same, MSKB_SIMT_HERE) {
  const auto matching = static_cast<unsigned>(mskb_simt::warp(mskb_simt::WarpOperation::match_all, mask,
                                                              mskb_simt::to_bits(value), 0, 32, mskb_file, mskb_line));
  *all_same = matching != 0;
  return matching;
}

#define MSKB_REDUCE(name, operation, type)                                                                            \
  inline type name(unsigned mask, type value, MSKB_SIMT_HERE) {                                                       \
    return static_cast<type>(mskb_simt::warp(mskb_simt::WarpOperation::operation, mask, static_cast<unsigned>(value), \
                                             0, 32, mskb_file, mskb_line));                                           \
  }
MSKB_REDUCE(__reduce_add_sync, add, unsigned)
MSKB_REDUCE(__reduce_add_sync, add, int)
MSKB_REDUCE(__reduce_min_sync, min_unsigned, unsigned)
MSKB_REDUCE(__reduce_min_sync, min_signed, int)
MSKB_REDUCE(__reduce_max_sync, max_unsigned, unsigned)
MSKB_REDUCE(__reduce_max_sync, max_signed, int)
MSKB_REDUCE(__reduce_and_sync, bit_and, unsigned)
MSKB_REDUCE(__reduce_or_sync, bit_or, unsigned)
MSKB_REDUCE(__reduce_xor_sync, bit_xor, unsigned)
#undef MSKB_REDUCE

inline void __threadfence() { __asm__ __volatile__("" ::: "memory"); }
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }
inline void __nanosleep(unsigned) { mskb_simt_yield(); }
inline void __trap(MSKB_SIMT_HERE) { mskb_simt_trap(mskb_file, mskb_line); }
inline void __brkpt() {}
// Only of use to inline PTX, which the CPU backend does not have.
inline size_t __cvta_generic_to_shared(const void* pointer) { return reinterpret_cast<size_t>(pointer); }
// Nanoseconds stand in for cycles: the values mean nothing.
inline long long clock64() { return mskb_simt_clock(); }
inline long long __clock64() { return mskb_simt_clock(); }
