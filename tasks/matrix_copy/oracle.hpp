#pragma once
#include "mskb/oracle.hpp"

// B[i,j] = A[i,j]
struct B {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    return {x.A[i], fabs(x.A[i])};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<B>;
