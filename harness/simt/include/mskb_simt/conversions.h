// Conversions between numbers with a rounding mode in the name: rn nearest even, rz towards zero, ru up, rd down.
// Float to integer saturates, and NaN gives 0, as on the device.
#pragma once

#include <math.h>

namespace mskb_simt {

template <class To, class From>
inline To saturated(From x, To lowest, To highest) {
  if (x != x) return 0;
  if (x <= static_cast<From>(lowest)) return lowest;
  if (x >= static_cast<From>(highest)) return highest;
  return static_cast<To>(x);
}

}  // namespace mskb_simt

#define MSKB_TO_INTEGER(prefix, from, target, to, lowest, highest, nearest, truncate, up, down)               \
  inline to prefix##2##target##_rn(from x) { return mskb_simt::saturated<to>(nearest(x), lowest, highest); }  \
  inline to prefix##2##target##_rz(from x) { return mskb_simt::saturated<to>(truncate(x), lowest, highest); } \
  inline to prefix##2##target##_ru(from x) { return mskb_simt::saturated<to>(up(x), lowest, highest); }       \
  inline to prefix##2##target##_rd(from x) { return mskb_simt::saturated<to>(down(x), lowest, highest); }
#define MSKB_TO_INTEGERS(prefix, from, nearest, truncate, up, down)                                                    \
  MSKB_TO_INTEGER(prefix, from, int, int, -__INT_MAX__ - 1, __INT_MAX__, nearest, truncate, up, down)                  \
  MSKB_TO_INTEGER(prefix, from, uint, unsigned, 0u, ~0u, nearest, truncate, up, down)                                  \
  MSKB_TO_INTEGER(prefix, from, ll, long long, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__, nearest, truncate, up, down) \
  MSKB_TO_INTEGER(prefix, from, ull, unsigned long long, 0ull, ~0ull, nearest, truncate, up, down)
MSKB_TO_INTEGERS(__float, float, rintf, truncf, ceilf, floorf)
MSKB_TO_INTEGERS(__double, double, rint, trunc, ceil, floor)
#undef MSKB_TO_INTEGERS
#undef MSKB_TO_INTEGER

#define MSKB_FROM_INTEGER(name, from, target, to) \
  inline to name##2##target##_rn(from x) { return static_cast<to>(x); }
MSKB_FROM_INTEGER(__int, int, float, float)
MSKB_FROM_INTEGER(__uint, unsigned, float, float)
MSKB_FROM_INTEGER(__ll, long long, float, float)
MSKB_FROM_INTEGER(__ull, unsigned long long, float, float)
MSKB_FROM_INTEGER(__ll, long long, double, double)
MSKB_FROM_INTEGER(__ull, unsigned long long, double, double)
MSKB_FROM_INTEGER(__double, double, float, float)
#undef MSKB_FROM_INTEGER
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
