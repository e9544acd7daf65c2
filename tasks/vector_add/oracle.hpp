#pragma once
#include "mskb/oracle.hpp"

// C[i] = A[i] + B[i]
struct C {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    return {x.A[i] + x.B[i], fabs(x.A[i]) + fabs(x.B[i])};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<C>;
