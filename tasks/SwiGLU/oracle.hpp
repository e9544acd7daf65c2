#pragma once
#include "mskb/oracle.hpp"

// output[i] = g / (1 + exp(-beta * g)) * v with g = gate_input[i], v = value_input[i]
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double g = x.gate_input[i], v = x.value_input[i];
    const double want = g / (1 + exp(-x.beta * g)) * v;
    // An exponential errs in proportion to its argument; beyond 100 it no longer matters. Where it overflows in FP32, 0 is
    // as right as the true value.
    return {want, fabs(want) * (1 + fmin(fabs(x.beta * g), 100.0)) + 1e-29 * fabs(v)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
