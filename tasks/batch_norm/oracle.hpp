#pragma once
#include "mskb/oracle.hpp"

struct mean {
  MSKB_FN static int64_t size(const auto& x) { return x.C; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t c, int64_t n) { return x.input[n * x.C + c]; }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) { return sum / static_cast<double>(x.N); }
};

// A mean that cancels errs in proportion to this.
struct mean_magnitude {
  MSKB_FN static int64_t size(const auto& x) { return x.C; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t c, int64_t n) { return fabs(x.input[n * x.C + c]); }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) { return sum / static_cast<double>(x.N); }
};

struct variance {
  MSKB_FN static int64_t size(const auto& x) { return x.C; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t c, int64_t n) {
    const double deviation = x.input[n * x.C + c] - s(mean{}, c);
    return deviation * deviation;
  }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) { return sum / static_cast<double>(x.N); }
};

// output[n,c] = gamma[c] * (input[n,c] - mean[c]) / sqrt(variance[c] + epsilon) + beta[c]
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto& s, int64_t i) {
    const int64_t c = i % x.C;
    const double slope = x.gamma[c] / sqrt(s(variance{}, c) + x.epsilon);
    return {slope * (x.input[i] - s(mean{}, c)) + x.beta[c],
            fabs(slope) * (fabs(x.input[i]) + s(mean_magnitude{}, c)) + fabs(x.beta[c])};
  }
};

using stages = mskb::List<mean, mean_magnitude, variance>;
using outputs = mskb::List<output>;
