// Intrinsics that both 16-bit formats share. Included once for each, with the macros of half_type.h set. Every step
// rounds; a fused multiply-add rounds once.

#include "mskb_simt/atomics.h"

#define MSKB_UNARY(name, expression)      \
  inline MSKB_HALF name(MSKB_HALF a) {    \
    const float x = MSKB_TO_FLOAT(a.__x); \
    return MSKB_HALF(expression);         \
  }
#define MSKB_UNARY_PAIR(name, single) \
  inline MSKB_HALF2 name(MSKB_HALF2 a) { return {single(a.x), single(a.y)}; }
#define MSKB_BINARY_PAIR(name, single) \
  inline MSKB_HALF2 name(MSKB_HALF2 a, MSKB_HALF2 b) { return {single(a.x, b.x), single(a.y, b.y)}; }

inline MSKB_HALF __hadd(MSKB_HALF a, MSKB_HALF b) { return a + b; }
inline MSKB_HALF __hsub(MSKB_HALF a, MSKB_HALF b) { return a - b; }
inline MSKB_HALF __hmul(MSKB_HALF a, MSKB_HALF b) { return a * b; }
inline MSKB_HALF __hdiv(MSKB_HALF a, MSKB_HALF b) { return a / b; }
inline MSKB_HALF __hadd_rn(MSKB_HALF a, MSKB_HALF b) { return a + b; }
inline MSKB_HALF __hsub_rn(MSKB_HALF a, MSKB_HALF b) { return a - b; }
inline MSKB_HALF __hmul_rn(MSKB_HALF a, MSKB_HALF b) { return a * b; }
inline MSKB_HALF __hneg(MSKB_HALF a) { return -a; }
inline MSKB_HALF __habs(MSKB_HALF a) { return MSKB_HALF_RAW{static_cast<unsigned short>(a.__x & 0x7FFF)}; }
inline MSKB_HALF __hfma(MSKB_HALF a, MSKB_HALF b, MSKB_HALF c) {
  const double product = static_cast<double>(MSKB_TO_FLOAT(a.__x)) * MSKB_TO_FLOAT(b.__x);
  return MSKB_HALF(product + MSKB_TO_FLOAT(c.__x));
}
inline bool __hisnan(MSKB_HALF a) { return a != a; }
inline int __hisinf(MSKB_HALF a) {
  const float x = MSKB_TO_FLOAT(a.__x);
  return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}
inline MSKB_HALF mskb_saturate(MSKB_HALF a) { return MSKB_HALF(__saturatef(MSKB_TO_FLOAT(a.__x))); }
inline MSKB_HALF mskb_relu(MSKB_HALF a) { return a < MSKB_HALF(0.0f) ? MSKB_HALF(0.0f) : a; }
inline MSKB_HALF __hadd_sat(MSKB_HALF a, MSKB_HALF b) { return mskb_saturate(a + b); }
inline MSKB_HALF __hsub_sat(MSKB_HALF a, MSKB_HALF b) { return mskb_saturate(a - b); }
inline MSKB_HALF __hmul_sat(MSKB_HALF a, MSKB_HALF b) { return mskb_saturate(a * b); }
inline MSKB_HALF __hfma_sat(MSKB_HALF a, MSKB_HALF b, MSKB_HALF c) { return mskb_saturate(__hfma(a, b, c)); }
inline MSKB_HALF __hfma_relu(MSKB_HALF a, MSKB_HALF b, MSKB_HALF c) { return mskb_relu(__hfma(a, b, c)); }
inline MSKB_HALF __hmax(MSKB_HALF a, MSKB_HALF b) {
  return MSKB_HALF(fmaxf(MSKB_TO_FLOAT(a.__x), MSKB_TO_FLOAT(b.__x)));
}
inline MSKB_HALF __hmin(MSKB_HALF a, MSKB_HALF b) {
  return MSKB_HALF(fminf(MSKB_TO_FLOAT(a.__x), MSKB_TO_FLOAT(b.__x)));
}
inline MSKB_HALF __hmax_nan(MSKB_HALF a, MSKB_HALF b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
inline MSKB_HALF __hmin_nan(MSKB_HALF a, MSKB_HALF b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }
inline MSKB_HALF max(MSKB_HALF a, MSKB_HALF b) { return __hmax(a, b); }
inline MSKB_HALF min(MSKB_HALF a, MSKB_HALF b) { return __hmin(a, b); }

MSKB_BINARY_PAIR(__hadd2, __hadd)
MSKB_BINARY_PAIR(__hsub2, __hsub)
MSKB_BINARY_PAIR(__hmul2, __hmul)
MSKB_BINARY_PAIR(__h2div, __hdiv)
MSKB_BINARY_PAIR(__hadd2_rn, __hadd)
MSKB_BINARY_PAIR(__hsub2_rn, __hsub)
MSKB_BINARY_PAIR(__hmul2_rn, __hmul)
MSKB_BINARY_PAIR(__hadd2_sat, __hadd_sat)
MSKB_BINARY_PAIR(__hsub2_sat, __hsub_sat)
MSKB_BINARY_PAIR(__hmul2_sat, __hmul_sat)
MSKB_BINARY_PAIR(__hmax2, __hmax)
MSKB_BINARY_PAIR(__hmin2, __hmin)
MSKB_BINARY_PAIR(__hmax2_nan, __hmax_nan)
MSKB_BINARY_PAIR(__hmin2_nan, __hmin_nan)
MSKB_UNARY_PAIR(__hneg2, __hneg)
MSKB_UNARY_PAIR(__habs2, __habs)
inline MSKB_HALF2 __hfma2(MSKB_HALF2 a, MSKB_HALF2 b, MSKB_HALF2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
inline MSKB_HALF2 __hfma2_sat(MSKB_HALF2 a, MSKB_HALF2 b, MSKB_HALF2 c) {
  return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}
inline MSKB_HALF2 __hfma2_relu(MSKB_HALF2 a, MSKB_HALF2 b, MSKB_HALF2 c) {
  return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}

// Comparisons: of singles, of pairs to 1.0 and 0.0, of pairs to all bits, and whether both hold. The versions with a
// `u` also hold where an operand is NaN.
#define MSKB_COMPARE(name, symbol)                                                                        \
  inline bool __h##name(MSKB_HALF a, MSKB_HALF b) { return a symbol b; }                                  \
  inline bool __h##name##u(MSKB_HALF a, MSKB_HALF b) { return __hisnan(a) || __hisnan(b) || a symbol b; } \
  inline MSKB_HALF2 __h##name##2(MSKB_HALF2 a, MSKB_HALF2 b) {                                            \
    return {a.x symbol b.x ? 1.0f : 0.0f, a.y symbol b.y ? 1.0f : 0.0f};                                  \
  }                                                                                                       \
  inline unsigned __h##name##2_mask(MSKB_HALF2 a, MSKB_HALF2 b) {                                         \
    return (a.x symbol b.x ? 0xFFFFu : 0u) | (a.y symbol b.y ? 0xFFFF0000u : 0u);                         \
  }                                                                                                       \
  inline bool __hb##name##2(MSKB_HALF2 a, MSKB_HALF2 b) { return a.x symbol b.x && a.y symbol b.y; }
MSKB_COMPARE(eq, ==)
MSKB_COMPARE(ne, !=)
MSKB_COMPARE(lt, <)
MSKB_COMPARE(le, <=)
MSKB_COMPARE(gt, >)
MSKB_COMPARE(ge, >=)
#undef MSKB_COMPARE

MSKB_UNARY(hsqrt, sqrtf(x))
MSKB_UNARY(hrsqrt, rsqrtf(x))
MSKB_UNARY(hrcp, 1.0f / x)
MSKB_UNARY(hexp, expf(x))
MSKB_UNARY(hexp2, exp2f(x))
MSKB_UNARY(hexp10, __exp10f(x))
MSKB_UNARY(hlog, logf(x))
MSKB_UNARY(hlog2, log2f(x))
MSKB_UNARY(hlog10, log10f(x))
MSKB_UNARY(hsin, sinf(x))
MSKB_UNARY(hcos, cosf(x))
MSKB_UNARY(htanh, tanhf(x))
MSKB_UNARY(hfloor, floorf(x))
MSKB_UNARY(hceil, ceilf(x))
MSKB_UNARY(htrunc, truncf(x))
MSKB_UNARY(hrint, rintf(x))
MSKB_UNARY_PAIR(h2sqrt, hsqrt)
MSKB_UNARY_PAIR(h2rsqrt, hrsqrt)
MSKB_UNARY_PAIR(h2rcp, hrcp)
MSKB_UNARY_PAIR(h2exp, hexp)
MSKB_UNARY_PAIR(h2exp2, hexp2)
MSKB_UNARY_PAIR(h2log, hlog)
MSKB_UNARY_PAIR(h2log2, hlog2)
MSKB_UNARY_PAIR(h2log10, hlog10)
MSKB_UNARY_PAIR(h2sin, hsin)
MSKB_UNARY_PAIR(h2cos, hcos)
MSKB_UNARY_PAIR(h2tanh, htanh)
MSKB_UNARY_PAIR(h2floor, hfloor)
MSKB_UNARY_PAIR(h2ceil, hceil)
MSKB_UNARY_PAIR(h2trunc, htrunc)
MSKB_UNARY_PAIR(h2rint, hrint)
#undef MSKB_UNARY
#undef MSKB_UNARY_PAIR
#undef MSKB_BINARY_PAIR

inline float __low2float(MSKB_HALF2 a) { return MSKB_TO_FLOAT(a.x.__x); }
inline float __high2float(MSKB_HALF2 a) { return MSKB_TO_FLOAT(a.y.__x); }
inline MSKB_HALF2 __lowhigh2highlow(MSKB_HALF2 a) { return {a.y, a.x}; }

MSKB_ATOMIC_FUNCTION MSKB_HALF atomicAdd(MSKB_HALF* address, MSKB_HALF value) {
  MSKB_TELL_ATOMIC(address);
  const MSKB_HALF old = *address;
  *address = old + value;
  return old;
}
MSKB_ATOMIC_FUNCTION MSKB_HALF2 atomicAdd(MSKB_HALF2* address, MSKB_HALF2 value) {
  MSKB_TELL_ATOMIC(address);
  const MSKB_HALF2 old = *address;
  *address = old + value;
  return old;
}
