#pragma once
#include <cstdint>
#include <cstring>

#include "base/host_device.hpp"

namespace mskb {

MSKB_FN std::uint32_t float_bits(float value) {
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

MSKB_FN float float_from_bits(std::uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Round to nearest even; a NaN stays a quiet NaN.
MSKB_FN std::uint16_t bf16_from_float(float value) {
  const std::uint32_t bits = float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  }
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

MSKB_FN float float_from_bf16(std::uint16_t bits) { return float_from_bits(static_cast<std::uint32_t>(bits) << 16); }

// The nearest value with TF32's 10 stored mantissa bits, ties away from zero as the hardware conversion does.
MSKB_FN float tf32_from_float(float value) {
  const std::uint32_t bits = float_bits(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) {
    return value;
  }
  return float_from_bits((bits + 0x1000u) & 0xffffe000u);
}

}  // namespace mskb
