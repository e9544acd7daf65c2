#pragma once
#include "mskb/oracle.hpp"

struct square_sum {
  MSKB_FN static int64_t size(const auto&) { return 1; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t, int64_t j) { return x.input[j] * x.input[j]; }
};

// output[i] = weight[i] * input[i] / r + bias[i], r = sqrt(square_sum / N + epsilon)
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto& s, int64_t i) {
    const double r = sqrt(s(square_sum{}, 0) / x.N + x.epsilon);
    const double scaled = x.weight[i] * x.input[i] / r;
    return {scaled + x.bias[i], fabs(scaled) + fabs(x.bias[i])};
  }
};

using stages = mskb::List<square_sum>;
using outputs = mskb::List<output>;
