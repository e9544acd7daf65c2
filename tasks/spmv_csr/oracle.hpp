#pragma once
#include "mskb/oracle.hpp"

// y[i] = sum over the entries of row i of value * x[column]
struct y {
  MSKB_FN static int64_t first(const auto& c, int64_t row) { return static_cast<int64_t>(c.row_offsets[row]); }
  MSKB_FN static int64_t terms(const auto& c, int64_t i) { return first(c, i + 1) - first(c, i); }
  MSKB_FN static double term(const auto& c, const auto&, int64_t i, int64_t j) {
    const int64_t entry = first(c, i) + j;
    return c.values[entry] * c.x[static_cast<int64_t>(c.col_indices[entry])];
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<y>;
