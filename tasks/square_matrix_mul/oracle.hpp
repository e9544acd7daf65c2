#pragma once
#include "mskb/oracle.hpp"

// C[i,n] = sum over j of A[i,j] * B[j,n]
struct C {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.M; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) {
    const int64_t row = i / x.M, column = i % x.M;
    return x.A[row * x.M + j] * x.B[j * x.M + column];
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<C>;
