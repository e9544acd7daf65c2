#pragma once
#include "mskb/oracle.hpp"

// Entries of a row; padding (-1) stands behind them.
struct length {
  MSKB_FN static int64_t size(const auto& c) { return c.rows; }
  MSKB_FN static double value(const auto& c, const auto&, int64_t row) {
    int64_t entries = 0;
    while (entries < c.max_nnz_per_row && c.col_ids[row * c.max_nnz_per_row + entries] >= 0) ++entries;
    return static_cast<double>(entries);
  }
};

// Y[r,k] = sum over the entries of row r of value * X[column,k]
struct Y {
  MSKB_FN static int64_t terms(const auto& c, const auto& s, int64_t i) {
    return static_cast<int64_t>(s(length{}, i / c.K));
  }
  MSKB_FN static double term(const auto& c, const auto&, int64_t i, int64_t j) {
    const int64_t slot = i / c.K * c.max_nnz_per_row + j;
    return c.values[slot] * c.X[static_cast<int64_t>(c.col_ids[slot]) * c.K + i % c.K];
  }
};

using stages = mskb::List<length>;
using outputs = mskb::List<Y>;
