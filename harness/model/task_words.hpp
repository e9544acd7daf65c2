#pragma once
#include <array>
#include <string_view>

#include "model/element_type.hpp"
#include "model/task.hpp"

// The closed word lists of task.yaml.
namespace mskb {

inline constexpr std::array<std::string_view, 4> scenarios{"algebra", "llm", "sparse", "scientific"};

inline constexpr std::array<std::string_view, 4> size_sets{"paper", "check", "smoke", "large"};

struct RoleInfo {
  Role role;
  std::string_view name;
};

inline constexpr std::array roles{RoleInfo{Role::in, "in"}, RoleInfo{Role::out, "out"}, RoleInfo{Role::inout, "inout"},
                                  RoleInfo{Role::dim, "dim"}, RoleInfo{Role::scalar, "scalar"}};

struct TypeInfo {
  std::string_view name;
  bool real;         // follows the precision
  ElementType type;  // otherwise
};

inline constexpr std::array argument_types{TypeInfo{"real", true, ElementType::f32}, TypeInfo{"f32", false, ElementType::f32},
                                           TypeInfo{"i32", false, ElementType::i32}};

inline constexpr std::array precisions{Precision::fp32, Precision::bf16};

}  // namespace mskb
