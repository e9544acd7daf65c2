// Rounding helpers for conversions to 16-bit formats.
#pragma once

#include "mskb_simt/bits.h"

namespace mskb_simt {

// The float next to `x` towards zero, with its last bit set where that is not exact: rounding it again to a narrower
// format gives what rounding `x` once would.
inline float round_to_odd(double x) {
  const float near = static_cast<float>(x);
  if (static_cast<double>(near) == x || x != x) return near;
  unsigned bits = __float_as_uint(near);
  const bool away = (near < 0 ? -static_cast<double>(near) : static_cast<double>(near)) > (x < 0 ? -x : x);
  if (away) --bits;
  return __uint_as_float(bits | 1);
}

}  // namespace mskb_simt
