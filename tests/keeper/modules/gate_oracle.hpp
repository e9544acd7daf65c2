#pragma once
#include "mskb/oracle.hpp"

// out[i] = in[i] * g(in[i + n]) with g(v) = v / (1 + |v|): element by element, no sums.
struct out {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double gate = x.in[i + x.n];
    const double want = x.in[i] * gate / (1 + std::fabs(gate));
    return {want, std::fabs(want)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<out>;
