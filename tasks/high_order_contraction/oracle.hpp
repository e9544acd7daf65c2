#pragma once
#include "mskb/oracle.hpp"

// C[a,b,c] = sum over x, y of A[a,x,b,y] * B[x,c,y]; term j is x * y_dim + y
struct C {
  MSKB_FN static int64_t terms(const auto& k, int64_t) { return k.x_dim * k.y_dim; }
  MSKB_FN static double term(const auto& k, const auto&, int64_t i, int64_t j) {
    const int64_t c = i % k.c_dim, b = i / k.c_dim % k.b_dim, a = i / (k.c_dim * k.b_dim);
    const int64_t x = j / k.y_dim, y = j % k.y_dim;
    return k.A[((a * k.x_dim + x) * k.b_dim + b) * k.y_dim + y] * k.B[(x * k.c_dim + c) * k.y_dim + y];
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<C>;
