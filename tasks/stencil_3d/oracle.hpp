#pragma once
#include "mskb/oracle.hpp"

// u_new = c + r * (the six face neighbours - 6 c) in the interior, c on the rim
struct u_new {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t cell) {
    const int64_t plane = x.ny * x.nz;
    const int64_t i = cell / plane, j = cell / x.nz % x.ny, k = cell % x.nz;
    const double c = x.u_old[cell];
    if (i == 0 || i == x.nx - 1 || j == 0 || j == x.ny - 1 || k == 0 || k == x.nz - 1) {
      return {c, 0};
    }
    const double below = x.u_old[cell - plane], above = x.u_old[cell + plane];
    const double north = x.u_old[cell - x.nz], south = x.u_old[cell + x.nz];
    const double west = x.u_old[cell - 1], east = x.u_old[cell + 1];
    const double sizes = fabs(below) + fabs(above) + fabs(north) + fabs(south) + fabs(west) + fabs(east) + 6 * fabs(c);
    return {c + x.r * (below + above + north + south + west + east - 6 * c), fabs(c) + fabs(x.r) * sizes};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<u_new>;
