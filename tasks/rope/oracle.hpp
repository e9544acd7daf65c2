#pragma once
#include "mskb/oracle.hpp"

// output[m,2p] + i output[m,2p+1] = (input[m,2p] + i input[m,2p+1]) * exp(i m base^(-2p/D))
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const int64_t row = i / x.D, pair = i % x.D / 2, first = row * x.D + 2 * pair;
    const double exponent = -2.0 * static_cast<double>(pair) / static_cast<double>(x.D);
    const double angle = static_cast<double>(row) * pow(x.base, exponent);
    const double a = x.input[first], b = x.input[first + 1];
    const double want = i == first ? a * cos(angle) - b * sin(angle) : a * sin(angle) + b * cos(angle);
    return {want, (fabs(a) + fabs(b)) * (1 + angle)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
