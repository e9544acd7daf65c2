#pragma once
#include "mskb/oracle.hpp"

// Each row of `in` divided by its root mean square; `total` is the sum of all elements, doubled; `data` is sorted in place.
struct square_sum {
  MSKB_FN static int64_t size(const auto& x) { return x.B; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.D; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) { return x.in[i * x.D + j] * x.in[i * x.D + j]; }
};

struct inverse_rms {
  MSKB_FN static int64_t size(const auto& x) { return x.B; }
  MSKB_FN static double value(const auto& x, const auto& s, int64_t i) {
    return 1 / std::sqrt(s(square_sum{}, i) / static_cast<double>(x.D) + x.epsilon);
  }
};

struct out {
  MSKB_FN static mskb::Value value(const auto& x, const auto& s, int64_t i) {
    const double want = x.in[i] * s(inverse_rms{}, i / x.D);
    return {want, std::fabs(want)};
  }
};

struct total {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.B * x.D; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t, int64_t j) { return x.in[j]; }
  MSKB_FN static double finish(const auto&, const auto&, int64_t, double sum) { return 2 * sum; }
  MSKB_FN static double scale(const auto&, const auto&, int64_t) { return 2; }
};

struct data {
  MSKB_FN static void sorted(const auto&) {}
};

using stages = mskb::List<square_sum, inverse_rms>;
using outputs = mskb::List<out, total, data>;
