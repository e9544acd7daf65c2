#pragma once
#include "mskb/oracle.hpp"

// B[j,i] = A[i,j]
struct B {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double moved = x.A[i % x.M * x.N + i / x.M];
    return {moved, fabs(moved)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<B>;
