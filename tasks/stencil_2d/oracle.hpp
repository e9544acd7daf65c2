#pragma once
#include "mskb/oracle.hpp"

// u_new = c + r * (W + E + N + S - 4 c) in the interior, c on the rim
struct u_new {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const int64_t row = i / x.ny, col = i % x.ny;
    const double c = x.u_old[i];
    if (row == 0 || row == x.nx - 1 || col == 0 || col == x.ny - 1) {
      return {c, 0};
    }
    const double west = x.u_old[i - 1], east = x.u_old[i + 1], north = x.u_old[i - x.ny], south = x.u_old[i + x.ny];
    const double sum = fabs(west) + fabs(east) + fabs(north) + fabs(south) + 4 * fabs(c);
    return {c + x.r * (west + east + north + south - 4 * c), fabs(c) + fabs(x.r) * sum};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<u_new>;
