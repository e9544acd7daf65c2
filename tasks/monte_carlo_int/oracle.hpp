#pragma once
#include "mskb/oracle.hpp"

// result = (b - a) / N * the sum of the samples, added to what it holds on entry (zero)
struct result {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t, int64_t j) { return x.y_samples[j]; }
  MSKB_FN static double scale(const auto& x, const auto&, int64_t) { return (x.b - x.a) / x.N; }
  MSKB_FN static double finish(const auto& x, const auto& s, int64_t i, double sum) {
    return x.result[0] + scale(x, s, i) * sum;
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<result>;
