#pragma once
#include "mskb/oracle.hpp"

// output[i] = x / 2 * (1 + erf(x / sqrt(2))) with x = input[i]
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double in = x.input[i];
    const double root_half = 0.70710678118654752440;
    return {0.5 * in * erfc(-in * root_half), 0.5 * fabs(in) * (1 + fabs(erf(in * root_half)))};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
