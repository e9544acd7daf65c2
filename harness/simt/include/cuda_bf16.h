// bfloat16: the upper half of a float. Conversions round to nearest even and keep NaN.
#pragma once

#include "cuda_runtime.h"
#include "mskb_simt/narrow.h"

namespace mskb_simt {

inline float bf16_to_float(unsigned short bits) { return __uint_as_float(static_cast<unsigned>(bits) << 16); }
inline unsigned short float_to_bf16(float x) {
  const unsigned bits = __float_as_uint(x);
  if (x != x) return 0x7FFF;
  return static_cast<unsigned short>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
inline unsigned short double_to_bf16(double x) { return float_to_bf16(round_to_odd(x)); }
// Towards zero, upwards, downwards.
inline unsigned short float_to_bf16_rz(float x) {
  return x != x ? 0x7FFF : static_cast<unsigned short>(__float_as_uint(x) >> 16);
}
inline unsigned short float_to_bf16_away(float x) {
  const unsigned short bits = float_to_bf16_rz(x);
  return x != x || bf16_to_float(bits) == x ? bits : static_cast<unsigned short>(bits + 1);
}
inline unsigned short float_to_bf16_ru(float x) { return x > 0 ? float_to_bf16_away(x) : float_to_bf16_rz(x); }
inline unsigned short float_to_bf16_rd(float x) { return x < 0 ? float_to_bf16_away(x) : float_to_bf16_rz(x); }

}  // namespace mskb_simt

#define MSKB_HALF __nv_bfloat16
#define MSKB_HALF2 __nv_bfloat162
#define MSKB_HALF_RAW __nv_bfloat16_raw
#define MSKB_HALF2_RAW __nv_bfloat162_raw
#define MSKB_TO_FLOAT(bits) mskb_simt::bf16_to_float(bits)
#define MSKB_FROM_FLOAT(x) mskb_simt::float_to_bf16(x)
#define MSKB_FROM_DOUBLE(x) mskb_simt::double_to_bf16(x)
#include "mskb_simt/half_type.h"
#include "mskb_simt/half_intrinsics.h"
#undef MSKB_HALF
#undef MSKB_HALF2
#undef MSKB_HALF_RAW
#undef MSKB_HALF2_RAW
#undef MSKB_TO_FLOAT
#undef MSKB_FROM_FLOAT
#undef MSKB_FROM_DOUBLE

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define MSKB_FROM(bits) __nv_bfloat16(__nv_bfloat16_raw{bits})
inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
inline __nv_bfloat16 __float2bfloat16_rz(float x) { return MSKB_FROM(mskb_simt::float_to_bf16_rz(x)); }
inline __nv_bfloat16 __float2bfloat16_ru(float x) { return MSKB_FROM(mskb_simt::float_to_bf16_ru(x)); }
inline __nv_bfloat16 __float2bfloat16_rd(float x) { return MSKB_FROM(mskb_simt::float_to_bf16_rd(x)); }
inline __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
inline float __bfloat162float(__nv_bfloat16 a) { return mskb_simt::bf16_to_float(a.__x); }
#undef MSKB_FROM

#define MSKB_INTEGER(name, type)                                                   \
  inline __nv_bfloat16 __##name##2bfloat16_rn(type x) { return __nv_bfloat16(x); } \
  inline type __bfloat162##name##_rz(__nv_bfloat16 a) { return static_cast<type>(a); }
MSKB_INTEGER(int, int)
MSKB_INTEGER(uint, unsigned)
MSKB_INTEGER(short, short)
MSKB_INTEGER(ushort, unsigned short)
MSKB_INTEGER(ll, long long)
MSKB_INTEGER(ull, unsigned long long)
#undef MSKB_INTEGER
inline int __bfloat162int_rn(__nv_bfloat16 a) { return __float2int_rn(__bfloat162float(a)); }
inline int __bfloat162int_ru(__nv_bfloat16 a) { return __float2int_ru(__bfloat162float(a)); }
inline int __bfloat162int_rd(__nv_bfloat16 a) { return __float2int_rd(__bfloat162float(a)); }
inline unsigned __bfloat162uint_rn(__nv_bfloat16 a) { return __float2uint_rn(__bfloat162float(a)); }

inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return {low, high}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
inline __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) { return {__nv_bfloat16(low), __nv_bfloat16(high)}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 x) { return __floats2bfloat162_rn(x.x, x.y); }
inline float2 __bfloat1622float2(__nv_bfloat162 a) { return {__bfloat162float(a.x), __bfloat162float(a.y)}; }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return {a.x, a.x}; }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return {a.y, a.y}; }
inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
inline short __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.__x); }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16_raw{bits}; }
inline __nv_bfloat16 __short_as_bfloat16(short bits) { return __nv_bfloat16_raw{static_cast<unsigned short>(bits)}; }

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7F80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7FFF)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7F)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3F80)
