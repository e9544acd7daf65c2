#pragma once
#include "mskb/oracle.hpp"

// The largest pixel of the window, as far as it lies inside the image
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const int64_t rows = (x.H + 2 * x.padding - x.kernel_size) / x.stride + 1;
    const int64_t cols = (x.W + 2 * x.padding - x.kernel_size) / x.stride + 1;
    const int64_t image = i / (rows * cols);
    const int64_t top = i / cols % rows * x.stride - x.padding, left = i % cols * x.stride - x.padding;
    double largest = -HUGE_VAL;
    for (int64_t row = top; row < top + x.kernel_size; ++row) {
      for (int64_t col = left; col < left + x.kernel_size; ++col) {
        if (row >= 0 && row < x.H && col >= 0 && col < x.W) {
          largest = fmax(largest, x.input[(image * x.H + row) * x.W + col]);
        }
      }
    }
    return {largest, fabs(largest)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
