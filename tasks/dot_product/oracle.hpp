#pragma once
#include "mskb/oracle.hpp"

// loss = sum over j of X[j] * Y[j], added to what it holds on entry (zero)
struct loss {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t, int64_t j) { return x.X[j] * x.Y[j]; }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) { return x.loss[0] + sum; }
};

using stages = mskb::List<>;
using outputs = mskb::List<loss>;
