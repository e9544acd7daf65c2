#pragma once
#include <array>
#include <string_view>

#include "model/fill.hpp"

namespace mskb {

// How task.yaml names a fill and its parameters a, b, c. docs/task-format.md prints this table.
struct FillInfo {
  FillKind kind;
  std::string_view name;
  int parameters;
  std::string_view meaning;
};

inline constexpr std::array fills{
    FillInfo{FillKind::constant, "constant", 1, "a everywhere"},
    FillInfo{FillKind::uniform, "uniform", 2, "uniform in [a, b), in steps of (b - a) * 2^-24"},
    FillInfo{FillKind::integers, "integers", 2, "uniform whole numbers of [a, b]"},
    FillInfo{FillKind::signs, "signs", 1, "+a or -a, evenly"},
    FillInfo{FillKind::mantissa, "mantissa", 2, "+-(1 + k * 2^-b) * a with k uniform in [0, 2^b)"},
    FillInfo{FillKind::biased_mantissa, "biased_mantissa", 1,
             "(1 + (64 k + 27) * 2^-13) * a with k uniform in [0, 128): BF16 and TF32 both round it towards zero"},
    FillInfo{FillKind::spike, "spike", 3, "c where i mod b = 0, a elsewhere"},
    FillInfo{FillKind::ramp, "ramp", 2, "a + b * i"},
    FillInfo{FillKind::reversed_ramp, "reversed_ramp", 2, "a + b * (n - 1 - i)"},
    FillInfo{FillKind::alternating, "alternating", 2, "a at even i, b at odd i"},
    FillInfo{FillKind::upper_triangle, "upper_triangle", 3, "matrices of a columns and rows: b above the diagonal, else c"},
    FillInfo{FillKind::indices, "indices", 1, "uniform whole numbers of [0, a)"},
    FillInfo{FillKind::skewed_indices, "skewed_indices", 1, "floor(a * u^3): few indices take most of the draws"},
    FillInfo{FillKind::offsets_even, "offsets_even", 1,
             "row offsets that share a entries evenly; the first a mod rows rows hold one more"},
    FillInfo{FillKind::offsets_dense_row, "offsets_dense_row", 2, "row offsets: row b holds all a entries"},
    FillInfo{FillKind::offsets_gaps, "offsets_gaps", 2,
             "row offsets: only the rows with i mod b = b / 2 hold entries, a in all; the others are empty"},
    FillInfo{FillKind::padded_indices, "padded_indices", 3,
             "rows of b slots with c entries in all, first uniform whole numbers of [0, a), then padding -1"},
    FillInfo{FillKind::padded_uniform, "padded_uniform", 3,
             "rows of b slots with c entries in all, first uniform in [-a, a), then padding 0"},
    FillInfo{FillKind::offsets_power, "offsets_power", 1, "row offsets floor(a * (i / rows)^2): rows grow linearly"},
};

const FillInfo* find_fill(std::string_view name);  // null when there is none of that name

}  // namespace mskb
