#pragma once
#include "mskb/oracle.hpp"

// Sums of 1024 squares, so that long vectors are summed in parallel
struct part {
  MSKB_FN static int64_t size(const auto& x) { return (x.N + 1023) / 1024; }
  MSKB_FN static int64_t terms(const auto& x, int64_t i) { return x.N - 1024 * i < 1024 ? x.N - 1024 * i : 1024; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) {
    const double difference = x.X[1024 * i + j] - x.Y[1024 * i + j];
    return difference * difference;
  }
};

// loss = (what it holds on entry (zero) + sum over i of (X[i] - Y[i])^2) / N
struct loss {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return part::size(x); }
  MSKB_FN static double term(const auto&, const auto& s, int64_t, int64_t j) { return s(part{}, j); }
  MSKB_FN static double scale(const auto& x, const auto&, int64_t) { return 1.0 / static_cast<double>(x.N); }
  MSKB_FN static double finish(const auto& x, const auto& s, int64_t i, double sum) {
    return (x.loss[0] + sum) * scale(x, s, i);
  }
};

using stages = mskb::List<part>;
using outputs = mskb::List<loss>;
