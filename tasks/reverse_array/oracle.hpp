#pragma once
#include "mskb/oracle.hpp"

// output[i] = input[N-1-i]
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double moved = x.input[x.N - 1 - i];
    return {moved, fabs(moved)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
