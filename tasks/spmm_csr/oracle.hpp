#pragma once
#include "mskb/oracle.hpp"

// Y[r,k] = sum over the entries of row r of value * X[column,k]
struct Y {
  MSKB_FN static int64_t first(const auto& c, int64_t row) { return static_cast<int64_t>(c.row_offsets[row]); }
  MSKB_FN static int64_t terms(const auto& c, int64_t i) { return first(c, i / c.K + 1) - first(c, i / c.K); }
  MSKB_FN static double term(const auto& c, const auto&, int64_t i, int64_t j) {
    const int64_t entry = first(c, i / c.K) + j;
    return c.values[entry] * c.X[static_cast<int64_t>(c.col_indices[entry]) * c.K + i % c.K];
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<Y>;
