#pragma once
#include "mskb/oracle.hpp"

// B[i,j] = scalar * A[i,j]
struct B {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double product = x.scalar * x.A[i];
    return {product, fabs(product)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<B>;
