#pragma once
#include "mskb/oracle.hpp"

// output[r,c] = sum over m, n of input[r+m, c+n] * kernel[m,n]; term j is m * kernel_cols + n
struct output {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.kernel_rows * x.kernel_cols; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) {
    const int64_t cols = x.input_cols - x.kernel_cols + 1;
    const int64_t row = i / cols + j / x.kernel_cols, col = i % cols + j % x.kernel_cols;
    return x.input[row * x.input_cols + col] * x.kernel[j];
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
