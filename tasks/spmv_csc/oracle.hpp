#pragma once
#include "mskb/oracle.hpp"

// row * nnz + entry, ascending: the entries in the order of their rows
struct by_row {
  static constexpr bool ascending = true;
  MSKB_FN static int64_t size(const auto& c) { return c.nnz; }
  MSKB_FN static double value(const auto& c, const auto&, int64_t entry) {
    return c.row_indices[entry] * static_cast<double>(c.nnz) + static_cast<double>(entry);
  }
};

// Where a row begins in by_row.
struct first {
  MSKB_FN static int64_t size(const auto& c) { return c.rows + 1; }
  MSKB_FN static double value(const auto& c, const auto& s, int64_t row) {
    int64_t low = 0, high = c.nnz;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (s(by_row{}, middle) < static_cast<double>(row * c.nnz)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return static_cast<double>(low);
  }
};

// The column of an entry: the last one that begins at it or before.
MSKB_FN int64_t column_of(const auto& c, int64_t entry) {
  int64_t low = 0, high = c.columns;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (static_cast<int64_t>(c.col_offsets[middle]) <= entry) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// y[i] = what it holds on entry (zero) + sum over the entries of row i of value * x[column]
struct y {
  MSKB_FN static int64_t terms(const auto&, const auto& s, int64_t i) {
    return static_cast<int64_t>(s(first{}, i + 1) - s(first{}, i));
  }
  MSKB_FN static double term(const auto& c, const auto& s, int64_t i, int64_t j) {
    const int64_t entry = static_cast<int64_t>(s(by_row{}, static_cast<int64_t>(s(first{}, i)) + j)) - i * c.nnz;
    return c.values[entry] * c.x[column_of(c, entry)];
  }
  MSKB_FN static double finish(const auto& c, const auto&, int64_t i, double sum) { return c.y[i] + sum; }
};

using stages = mskb::List<by_row, first>;
using outputs = mskb::List<y>;
