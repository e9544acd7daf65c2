#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "model/element_type.hpp"
#include "model/fill.hpp"

namespace mskb {

// What one parameter of a fill may be.
struct FillParameter {
  bool used = false;
  bool whole = false;
  double least = 0, most = 0;  // both included
};
namespace parameter {
// An element itself, which may be infinite.
inline constexpr FillParameter element{true, false, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
inline constexpr FillParameter any{true, false, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
inline constexpr FillParameter i32{true, true, -2147483648.0, 2147483647.0};
inline constexpr FillParameter count{true, true, 0, 2147483647.0};
inline constexpr FillParameter positive{true, true, 1, 2147483647.0};
inline constexpr FillParameter bits{true, true, 1, 23};
inline constexpr FillParameter octaves{true, true, 1, 64};
inline constexpr FillParameter root{true, true, 1, 2};
inline constexpr FillParameter reach{true, false, 1, 4294967296.0};
}  // namespace parameter

// How task.yaml names a fill and its parameters a, b, c. docs/task-format.md prints this table.
struct FillInfo {
  FillKind kind;
  std::string_view name;
  std::array<FillParameter, 3> parameters;
  std::string_view meaning;

  constexpr std::size_t count() const {
    std::size_t used = 0;
    for (const FillParameter& one : parameters) {
      used += one.used ? 1 : 0;
    }
    return used;
  }
};

inline constexpr std::array fills{
    FillInfo{FillKind::constant, "constant", {parameter::element}, "a everywhere"},
    FillInfo{FillKind::uniform, "uniform", {parameter::any, parameter::any}, "uniform in [a, b), in steps of (b - a) * 2^-24"},
    FillInfo{FillKind::integers, "integers", {parameter::i32, parameter::i32}, "uniform whole numbers of [a, b]"},
    FillInfo{FillKind::signs, "signs", {parameter::element}, "+a or -a, evenly"},
    FillInfo{FillKind::mantissa, "mantissa", {parameter::any, parameter::bits}, "+-(1 + k * 2^-b) * a with k uniform in [0, 2^b)"},
    FillInfo{FillKind::biased_mantissa, "biased_mantissa", {parameter::any},
             "(1 + (64 k + 27) * 2^-13) * a with k uniform in [0, 128): BF16 and TF32 both round it towards zero"},
    FillInfo{FillKind::octaves, "octaves", {parameter::any, parameter::octaves}, "(1 + f) * 2^k * a with k uniform in [0, b), f in [0, 1)"},
    FillInfo{FillKind::pareto, "pareto", {parameter::any, parameter::root, parameter::reach},
             "a / max(u, 1/c)^(1/b): a few large elements carry the sum of b-th powers, which no sample tells"},
    FillInfo{FillKind::spike, "spike", {parameter::element, parameter::positive, parameter::element}, "c where i mod b = 0, a elsewhere"},
    FillInfo{FillKind::ramp, "ramp", {parameter::any, parameter::any}, "a + b * i"},
    FillInfo{FillKind::reversed_ramp, "reversed_ramp", {parameter::any, parameter::any}, "a + b * (n - 1 - i)"},
    FillInfo{FillKind::alternating, "alternating", {parameter::element, parameter::element}, "a at even i, b at odd i"},
    FillInfo{FillKind::upper_triangle, "upper_triangle", {parameter::positive, parameter::element, parameter::element},
             "matrices of a columns and rows: b above the diagonal, else c"},
    FillInfo{FillKind::indices, "indices", {parameter::positive}, "uniform whole numbers of [0, a)"},
    FillInfo{FillKind::skewed_indices, "skewed_indices", {parameter::positive}, "floor(a * u^3): few indices take most of the draws"},
    FillInfo{FillKind::offsets_even, "offsets_even", {parameter::count},
             "row offsets that share a entries evenly; the first a mod rows rows hold one more"},
    FillInfo{FillKind::offsets_dense_row, "offsets_dense_row", {parameter::count, parameter::count}, "row offsets: row b holds all a entries"},
    FillInfo{FillKind::offsets_gaps, "offsets_gaps", {parameter::count, parameter::positive},
             "row offsets: only the rows with i mod b = b / 2 hold entries, a in all; the others are empty"},
    FillInfo{FillKind::padded_indices, "padded_indices", {parameter::positive, parameter::positive, parameter::count},
             "rows of b slots with c entries in all, first uniform whole numbers of [0, a), then padding -1"},
    FillInfo{FillKind::padded_uniform, "padded_uniform", {parameter::any, parameter::positive, parameter::count},
             "rows of b slots with c entries in all, first uniform in [-a, a), then padding 0"},
    FillInfo{FillKind::offsets_power, "offsets_power", {parameter::count}, "row offsets floor(a * (i / rows)^2): rows grow linearly"},
};

const FillInfo* find_fill(std::string_view name);  // null when there is none of that name
const FillInfo& info_of(FillKind kind);            // of any kind but none

// Why a buffer of n >= 1 elements of that type cannot be filled so, naming the parameter and how to mend it; empty where it can: every parameter
// is in its range, they fit each other and n, and every element of an i32 buffer is one. Beyond the range of a float lies infinity.
std::string fault_of_fill(const Fill& fill, std::uint64_t n, ElementType type);

}  // namespace mskb
