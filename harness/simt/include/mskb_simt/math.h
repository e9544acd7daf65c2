// Device mathematics beyond the C library. Fast versions are as exact as the ordinary ones here.
#pragma once

#include <math.h>
#include <stdlib.h>

#define MSKB_MIN_MAX(type, a_type, b_type)                                                            \
  inline constexpr type min(a_type a, b_type b) {                                                     \
    return static_cast<type>(a) < static_cast<type>(b) ? static_cast<type>(a) : static_cast<type>(b); \
  }                                                                                                   \
  inline constexpr type max(a_type a, b_type b) {                                                     \
    return static_cast<type>(a) > static_cast<type>(b) ? static_cast<type>(a) : static_cast<type>(b); \
  }
MSKB_MIN_MAX(int, int, int)
MSKB_MIN_MAX(unsigned, unsigned, unsigned)
MSKB_MIN_MAX(unsigned, int, unsigned)
MSKB_MIN_MAX(unsigned, unsigned, int)
MSKB_MIN_MAX(long, long, long)
MSKB_MIN_MAX(unsigned long, unsigned long, unsigned long)
MSKB_MIN_MAX(unsigned long, long, unsigned long)
MSKB_MIN_MAX(unsigned long, unsigned long, long)
MSKB_MIN_MAX(long long, long long, long long)
MSKB_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
MSKB_MIN_MAX(unsigned long long, long long, unsigned long long)
MSKB_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef MSKB_MIN_MAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }
inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
inline long long llmin(long long a, long long b) { return a < b ? a : b; }
inline long long llmax(long long a, long long b) { return a > b ? a : b; }

#define MSKB_PI 3.14159265358979323846
inline float rsqrtf(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return static_cast<float>(1.0 / cbrt(static_cast<double>(x))); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }
inline float fdividef(float a, float b) { return a / b; }
inline float rhypotf(float a, float b) {
  return static_cast<float>(1.0 / hypot(static_cast<double>(a), static_cast<double>(b)));
}
inline double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
inline float norm3df(float a, float b, float c) {
  return static_cast<float>(sqrt(static_cast<double>(a) * a + static_cast<double>(b) * b + static_cast<double>(c) * c));
}
inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
inline float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(sqrt(static_cast<double>(a) * a + static_cast<double>(b) * b + static_cast<double>(c) * c +
                                 static_cast<double>(d) * d));
}
inline float rnorm4df(float a, float b, float c, float d) { return 1.0f / norm4df(a, b, c, d); }

// sin and cos of pi x, with the argument reduced exactly.
inline double sinpi(double x) {
  double r = fmod(x, 2.0);
  if (r > 1.0) r -= 2.0;
  if (r < -1.0) r += 2.0;
  if (r > 0.5) r = 1.0 - r;
  if (r < -0.5) r = -1.0 - r;
  return sin(MSKB_PI * r);
}
inline double cospi(double x) {
  const double r = fabs(fmod(x, 2.0));
  const double folded = r > 1.0 ? 2.0 - r : r;
  return folded == 0.5 ? 0.0 : folded < 0.5 ? cos(MSKB_PI * folded) : -cos(MSKB_PI * (1.0 - folded));
}
inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline void sincospi(double x, double* sine, double* cosine) { *sine = sinpi(x), *cosine = cospi(x); }
inline void sincospif(float x, float* sine, float* cosine) { *sine = sinpif(x), *cosine = cospif(x); }

inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
inline float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
inline double erfcx(double x) {
  return x < 25.0 ? exp(x * x) * erfc(x) : 0.56418958354775628695 / x * (1.0 - 0.5 / (x * x));
}
inline float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
inline double erfinv(double y) {
  if (!(y > -1.0 && y < 1.0)) return y == 1.0 ? __builtin_inf() : y == -1.0 ? -__builtin_inf() : __builtin_nan("");
  const double l = log(1.0 - y * y), a = 0.147, t = 2.0 / (MSKB_PI * a) + 0.5 * l;
  double x = copysign(sqrt(sqrt(t * t - l / a) - t), y);
  for (int i = 0; i < 4; ++i) x -= (erf(x) - y) / (1.12837916709551257390 * exp(-x * x));
  return x;
}
inline float erfinvf(float y) { return static_cast<float>(erfinv(static_cast<double>(y))); }
inline double erfcinv(double y) { return erfinv(1.0 - y); }
inline float erfcinvf(float y) { return static_cast<float>(erfcinv(static_cast<double>(y))); }
inline double normcdfinv(double y) { return -1.41421356237309504880 * erfinv(1.0 - 2.0 * y); }
inline float normcdfinvf(float y) { return static_cast<float>(normcdfinv(static_cast<double>(y))); }
#undef MSKB_PI

// The C library declares some of these names with C linkage, and does not define them.
extern "C" {
inline float __expf(float x) noexcept { return expf(x); }
inline float __exp10f(float x) noexcept { return static_cast<float>(pow(10.0, static_cast<double>(x))); }
inline float __logf(float x) noexcept { return logf(x); }
inline float __log2f(float x) noexcept { return log2f(x); }
inline float __log10f(float x) noexcept { return log10f(x); }
inline float __sinf(float x) noexcept { return sinf(x); }
inline float __cosf(float x) noexcept { return cosf(x); }
inline float __tanf(float x) noexcept { return tanf(x); }
inline float __tanhf(float x) noexcept { return tanhf(x); }
inline float __powf(float x, float y) noexcept { return powf(x, y); }
inline void __sincosf(float x, float* sine, float* cosine) noexcept { *sine = sinf(x), *cosine = cosf(x); }
}
inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// Arithmetic that is never contracted.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) {
  volatile float product = a * b;
  return product;
}
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) {
  volatile double product = a * b;
  return product;
}
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline double __dsqrt_rn(double x) { return sqrt(x); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
