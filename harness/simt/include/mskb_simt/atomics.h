// Atomic functions. One thread runs at a time, so they are plain reads and writes; what matters is that a thread that
// spins on one lets the others run.
#pragma once

#include "mskb_simt/abi.h"

// Candidates of the flavour `races` tell the run-time of each atomic, and leave what it does inside out.
#if defined(__SANITIZE_THREAD__)
#define MSKB_ATOMIC_FUNCTION inline __attribute__((noinline, no_sanitize("thread")))
#define MSKB_TELL_ATOMIC(address) mskb_simt_atomic(address, sizeof(*address), __builtin_return_address(0))
#else
#define MSKB_ATOMIC_FUNCTION inline
#define MSKB_TELL_ATOMIC(address) ((void)0)
#endif

namespace mskb_simt {

// A thread that changed nothing this often may be waiting for another one.
constexpr int idle_atomics_before_yield = 64;

MSKB_ATOMIC_FUNCTION void changed_nothing() {
  if (++mskb_simt_idle_atomics >= idle_atomics_before_yield) {
    mskb_simt_idle_atomics = 0;
    mskb_simt_yield();
  }
}

}  // namespace mskb_simt

#define MSKB_ATOMIC(name, type, expression)                                                                           \
  MSKB_ATOMIC_FUNCTION type name(type* address, type value) {                                                         \
    MSKB_TELL_ATOMIC(address);                                                                                        \
    const type old = *address;                                                                                        \
    *address = static_cast<type>(expression);                                                                         \
    return old;                                                                                                       \
  }                                                                                                                   \
  inline type name##_block(type* address, type value) { return name(address, value); }                                \
  inline type name##_system(type* address, type value) { return name(address, value); }

// Those that programs also use to read or to wait.
#define MSKB_ATOMIC_WAITING(name, type, expression)                                                                   \
  MSKB_ATOMIC_FUNCTION type name(type* address, type value) {                                                         \
    MSKB_TELL_ATOMIC(address);                                                                                        \
    const type old = *address;                                                                                        \
    const type now = static_cast<type>(expression);                                                                   \
    *address = now;                                                                                                   \
    if (now == old) mskb_simt::changed_nothing();                                                                     \
    return old;                                                                                                       \
  }                                                                                                                   \
  inline type name##_block(type* address, type value) { return name(address, value); }                                \
  inline type name##_system(type* address, type value) { return name(address, value); }

#define MSKB_ATOMIC_CAS(type)                                                                                         \
  MSKB_ATOMIC_FUNCTION type atomicCAS(type* address, type compare, type value) {                                      \
    MSKB_TELL_ATOMIC(address);                                                                                        \
    const type old = *address;                                                                                        \
    if (old == compare) {                                                                                             \
      *address = value;                                                                                               \
    } else {                                                                                                          \
      mskb_simt_yield();                                                                                              \
    }                                                                                                                 \
    return old;                                                                                                       \
  }                                                                                                                   \
  inline type atomicCAS_block(type* address, type compare, type value) { return atomicCAS(address, compare, value); } \
  inline type atomicCAS_system(type* address, type compare, type value) { return atomicCAS(address, compare, value); }

MSKB_ATOMIC_WAITING(atomicAdd, int, static_cast<unsigned>(old) + static_cast<unsigned>(value))
MSKB_ATOMIC_WAITING(atomicAdd, unsigned, old + value)
MSKB_ATOMIC_WAITING(atomicAdd, unsigned long long, old + value)
MSKB_ATOMIC(atomicAdd, float, old + value)
MSKB_ATOMIC(atomicAdd, double, old + value)
MSKB_ATOMIC_WAITING(atomicSub, int, static_cast<unsigned>(old) - static_cast<unsigned>(value))
MSKB_ATOMIC_WAITING(atomicSub, unsigned, old - value)

MSKB_ATOMIC_WAITING(atomicExch, int, value)
MSKB_ATOMIC_WAITING(atomicExch, unsigned, value)
MSKB_ATOMIC_WAITING(atomicExch, unsigned long long, value)
MSKB_ATOMIC_WAITING(atomicExch, float, value)

MSKB_ATOMIC(atomicMin, int, old < value ? old : value)
MSKB_ATOMIC(atomicMin, unsigned, old < value ? old : value)
MSKB_ATOMIC(atomicMin, long long, old < value ? old : value)
MSKB_ATOMIC(atomicMin, unsigned long long, old < value ? old : value)
MSKB_ATOMIC(atomicMax, int, old > value ? old : value)
MSKB_ATOMIC(atomicMax, unsigned, old > value ? old : value)
MSKB_ATOMIC(atomicMax, long long, old > value ? old : value)
MSKB_ATOMIC(atomicMax, unsigned long long, old > value ? old : value)

MSKB_ATOMIC_WAITING(atomicAnd, int, old& value)
MSKB_ATOMIC_WAITING(atomicAnd, unsigned, old& value)
MSKB_ATOMIC_WAITING(atomicAnd, unsigned long long, old& value)
MSKB_ATOMIC_WAITING(atomicOr, int, old | value)
MSKB_ATOMIC_WAITING(atomicOr, unsigned, old | value)
MSKB_ATOMIC_WAITING(atomicOr, unsigned long long, old | value)
MSKB_ATOMIC_WAITING(atomicXor, int, old ^ value)
MSKB_ATOMIC_WAITING(atomicXor, unsigned, old ^ value)
MSKB_ATOMIC_WAITING(atomicXor, unsigned long long, old ^ value)
MSKB_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
MSKB_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

MSKB_ATOMIC_CAS(int)
MSKB_ATOMIC_CAS(unsigned)
MSKB_ATOMIC_CAS(unsigned long long)
MSKB_ATOMIC_CAS(unsigned short)
