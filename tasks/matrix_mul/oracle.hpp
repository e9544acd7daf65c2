#pragma once
#include "mskb/oracle.hpp"

// C[m,n] = sum over j of A[m,j] * B[j,n]
struct C {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.K; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) {
    const int64_t m = i / x.N, n = i % x.N;
    return x.A[m * x.K + j] * x.B[j * x.N + n];
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<C>;
