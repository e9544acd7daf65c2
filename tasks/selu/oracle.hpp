#pragma once
#include "mskb/oracle.hpp"

// output[i] = lambda * input[i] where input[i] >= 0, else lambda * alpha * (exp(input[i]) - 1)
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double in = x.input[i];
    if (in >= 0) {
      return {x.lambda * in, fabs(x.lambda * in)};
    }
    const double scale = x.lambda * x.alpha;
    return {scale * expm1(in), fabs(scale) * (exp(in) + 1)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
