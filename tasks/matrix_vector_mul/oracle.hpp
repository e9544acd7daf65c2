#pragma once
#include "mskb/oracle.hpp"

// y[i] = sum over j of A[i,j] * x[j]
struct y {
  MSKB_FN static int64_t terms(const auto& c, int64_t) { return c.N; }
  MSKB_FN static double term(const auto& c, const auto&, int64_t i, int64_t j) { return c.A[i * c.N + j] * c.x[j]; }
};

using stages = mskb::List<>;
using outputs = mskb::List<y>;
