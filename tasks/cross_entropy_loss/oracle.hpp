#pragma once
#include "mskb/oracle.hpp"

// Sums of 1024 terms, so that long vectors are summed in parallel
struct part {
  MSKB_FN static int64_t size(const auto& x) { return (x.C + 1023) / 1024; }
  MSKB_FN static int64_t terms(const auto& x, int64_t i) { return x.C - 1024 * i < 1024 ? x.C - 1024 * i : 1024; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) {
    const double clamp = static_cast<double>(1e-8f);
    const double prediction = x.X[1024 * i + j], target = x.Y[1024 * i + j];
    return target == 0 ? 0 : -target * log(prediction > clamp ? prediction : clamp);
  }
};

// loss = what it holds on entry (zero) - sum over i of Y[i] * ln(max(X[i], clamp))
struct loss {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return part::size(x); }
  MSKB_FN static double term(const auto&, const auto& s, int64_t, int64_t j) { return s(part{}, j); }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) { return x.loss[0] + sum; }
};

using stages = mskb::List<part>;
using outputs = mskb::List<loss>;
