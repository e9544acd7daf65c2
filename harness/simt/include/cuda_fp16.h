// half: 1 sign, 5 exponent and 10 fraction bits. Conversions round to nearest even and keep NaN.
#pragma once

#include "cuda_runtime.h"
#include "mskb_simt/narrow.h"

namespace mskb_simt {

inline float half_to_float(unsigned short bits) {
  const unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, fraction = bits & 0x3FFu;
  if (exponent == 31) return __uint_as_float(sign | 0x7F800000u | fraction << 13);
  if (exponent != 0) return __uint_as_float(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
  return sign != 0 ? -magnitude : magnitude;
}

inline unsigned short float_to_half(float x) {
  const unsigned bits = __float_as_uint(x), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return 0x7FFF;
  if (magnitude >= 0x477FF000u) return static_cast<unsigned short>(sign | 0x7C00u);  // rounds to 65536 or more
  if (magnitude >= 0x38800000u) {
    const unsigned rebiased = magnitude - (112u << 23);
    return static_cast<unsigned short>(sign | (rebiased + 0xFFF + (rebiased >> 13 & 1)) >> 13);
  }
  // Below 2^-14: adding 0.5 leaves the multiple of 2^-24 in the last bits, rounded to nearest even.
  const unsigned aligned = __float_as_uint(__uint_as_float(magnitude) + 0.5f);
  return static_cast<unsigned short>(sign | (aligned - 0x3F000000u));
}
inline unsigned short double_to_half(double x) { return float_to_half(round_to_odd(x)); }

}  // namespace mskb_simt

#define MSKB_HALF __half
#define MSKB_HALF2 __half2
#define MSKB_HALF_RAW __half_raw
#define MSKB_HALF2_RAW __half2_raw
#define MSKB_TO_FLOAT(bits) mskb_simt::half_to_float(bits)
#define MSKB_FROM_FLOAT(x) mskb_simt::float_to_half(x)
#define MSKB_FROM_DOUBLE(x) mskb_simt::double_to_half(x)
#include "mskb_simt/half_type.h"
#include "mskb_simt/half_intrinsics.h"
#undef MSKB_HALF
#undef MSKB_HALF2
#undef MSKB_HALF_RAW
#undef MSKB_HALF2_RAW
#undef MSKB_TO_FLOAT
#undef MSKB_FROM_FLOAT
#undef MSKB_FROM_DOUBLE

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

inline __half __float2half(float x) { return __half(x); }
inline __half __float2half_rn(float x) { return __half(x); }
inline __half __double2half(double x) { return __half(x); }
inline float __half2float(__half a) { return mskb_simt::half_to_float(a.__x); }

#define MSKB_INTEGER(name, type)                                 \
  inline __half __##name##2half_rn(type x) { return __half(x); } \
  inline type __half2##name##_rz(__half a) { return static_cast<type>(a); }
MSKB_INTEGER(int, int)
MSKB_INTEGER(uint, unsigned)
MSKB_INTEGER(short, short)
MSKB_INTEGER(ushort, unsigned short)
MSKB_INTEGER(ll, long long)
MSKB_INTEGER(ull, unsigned long long)
#undef MSKB_INTEGER
inline int __half2int_rn(__half a) { return __float2int_rn(__half2float(a)); }
inline int __half2int_ru(__half a) { return __float2int_ru(__half2float(a)); }
inline int __half2int_rd(__half a) { return __float2int_rd(__half2float(a)); }

inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __halves2half2(__half low, __half high) { return {low, high}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
inline __half2 __floats2half2_rn(float low, float high) { return {__half(low), __half(high)}; }
inline __half2 __float22half2_rn(float2 x) { return __floats2half2_rn(x.x, x.y); }
inline float2 __half22float2(__half2 a) { return {__half2float(a.x), __half2float(a.y)}; }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
inline unsigned short __half_as_ushort(__half a) { return a.__x; }
inline short __half_as_short(__half a) { return static_cast<short>(a.__x); }
inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
inline __half __short_as_half(short bits) { return __half_raw{static_cast<unsigned short>(bits)}; }
