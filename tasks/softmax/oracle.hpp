#pragma once
#include "mskb/oracle.hpp"

// Rows are searched for their maximum in pieces of 256 columns.
MSKB_FN int64_t pieces(const auto& x) { return (x.C + 255) / 256; }

struct piece_top {
  MSKB_FN static int64_t size(const auto& x) { return x.N * pieces(x); }
  MSKB_FN static double value(const auto& x, const auto&, int64_t i) {
    const int64_t row = i / pieces(x), begin = i % pieces(x) * 256, end = begin + 256 < x.C ? begin + 256 : x.C;
    double top = x.input[row * x.C + begin];
    for (int64_t j = begin + 1; j < end; ++j) top = fmax(top, x.input[row * x.C + j]);
    return top;
  }
};

struct top {
  MSKB_FN static int64_t size(const auto& x) { return x.N; }
  MSKB_FN static double value(const auto& x, const auto& s, int64_t row) {
    double highest = s(piece_top{}, row * pieces(x));
    for (int64_t k = 1; k < pieces(x); ++k) highest = fmax(highest, s(piece_top{}, row * pieces(x) + k));
    return highest;
  }
};

struct total {
  MSKB_FN static int64_t size(const auto& x) { return x.N; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.C; }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t row, int64_t j) {
    return exp(x.input[row * x.C + j] - s(top{}, row));
  }
};

// out[i,j] = exp(input[i,j] - top of row i) / total of row i
struct out {
  MSKB_FN static mskb::Value value(const auto& x, const auto& s, int64_t i) {
    const double share = exp(x.input[i] - s(top{}, i / x.C)) / s(total{}, i / x.C);
    return {share, share};
  }
};

using stages = mskb::List<piece_top, top, total>;
using outputs = mskb::List<out>;
