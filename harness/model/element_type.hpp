#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mskb {

enum class ElementType : std::uint32_t { f32, bf16, i32 };

constexpr std::size_t element_bytes(ElementType type) { return type == ElementType::bf16 ? 2 : 4; }

enum class Precision : std::uint32_t { fp32, bf16 };

constexpr std::string_view to_string(Precision precision) { return precision == Precision::fp32 ? "fp32" : "bf16"; }

}  // namespace mskb
