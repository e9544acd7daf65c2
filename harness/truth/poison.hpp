#pragma once
#include <cstdint>

#include "base/host_device.hpp"
#include "base/philox.hpp"
#include "model/element_type.hpp"
#include "wire/keeper_messages.hpp"

namespace mskb::truth {

// What an output element holds before the call, from the keyed word of its index: the bits of an element of `type` (low
// 16 bits for BF16).
//   nan     quiet NaNs of either sign with a varying payload; integers far below zero
//   finite  floats with magnitude in [0.5, 4); integers in [0, 1024)
//   large   floats near 1e37; integers near 2^31
MSKB_FN std::uint32_t poison_bits(wire::Poison poison, std::uint32_t word, ElementType type) {
  if (type == ElementType::i32) {
    switch (poison) {
      case wire::Poison::nan: return 0x80000000u | (word & 0x00ffffffu);
      case wire::Poison::finite: return word & 0x3ffu;
      default: return 0x7f000000u | (word & 0x00ffffffu);
    }
  }
  const std::uint32_t sign = word & 0x80000000u;
  std::uint32_t bits = 0;
  switch (poison) {
    case wire::Poison::nan: bits = sign | 0x7fc00000u | (word & 0x003fffffu); break;
    case wire::Poison::finite: bits = sign | ((126u + ((word >> 23) & 0xffu) % 3u) << 23) | (word & 0x007fffffu); break;
    default: bits = sign | 0x7d000000u | (word & 0x007fffffu); break;
  }
  return type == ElementType::bf16 ? bits >> 16 : bits;
}

// Element i.
MSKB_FN std::uint32_t poison_element(wire::Poison poison, std::uint64_t key, std::uint64_t i, ElementType type) {
  return poison_bits(poison, philox_word(key, i), type);
}

}  // namespace mskb::truth
