#pragma once
#include "mskb/oracle.hpp"

// With N = P Q, n = Q p + q and k = a + P b, and w = exp(-2 pi i / N):
//   part[a,q] = sum over p of x[Q p + q] * w^(a n)
//   X[a + P b] = sum over q of part[a,q] * w^(P b q)
// Complex arrays hold the real part at 2 i and the imaginary part at 2 i + 1.

MSKB_FN int64_t rows_of(int64_t N) {
  int64_t P = 1;
  while (P * P < N) P *= 2;
  return P;
}

// w^i
struct turn {
  MSKB_FN static int64_t size(const auto& x) { return 2 * x.N; }
  MSKB_FN static double value(const auto& x, const auto&, int64_t i) {
    const double angle = -2 * 3.14159265358979323846 * static_cast<double>(i / 2) / static_cast<double>(x.N);
    return i % 2 == 0 ? cos(angle) : sin(angle);
  }
};

// Term j of one part of a sum of complex products z * w^e: j / 2 says which product, j % 2 which half of it.
MSKB_FN double product_term(const auto& x, const auto& s, bool imaginary, int64_t j, double real, double img, int64_t e) {
  const double c = s(turn{}, 2 * (e % x.N)), d = s(turn{}, 2 * (e % x.N) + 1);
  if (imaginary) return j % 2 == 0 ? real * d : img * c;
  return j % 2 == 0 ? real * c : -img * d;
}

// Element a * Q + q
struct part {
  MSKB_FN static int64_t size(const auto& x) { return 2 * x.N; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return 2 * rows_of(x.N); }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) {
    const int64_t Q = x.N / rows_of(x.N), a = i / 2 / Q, q = i / 2 % Q, n = Q * (j / 2) + q;
    return product_term(x, s, i % 2 == 1, j, x.input_real[n], x.input_img[n], a * n);
  }
};

MSKB_FN double output_term(const auto& x, const auto& s, bool imaginary, int64_t k, int64_t j) {
  const int64_t P = rows_of(x.N), Q = x.N / P, a = k % P, b = k / P, q = j / 2;
  const int64_t element = 2 * (a * Q + q);
  return product_term(x, s, imaginary, j, s(part{}, element), s(part{}, element + 1), P * b * q);
}

struct output_real {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return 2 * (x.N / rows_of(x.N)); }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) { return output_term(x, s, false, i, j); }
};

struct output_img {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return 2 * (x.N / rows_of(x.N)); }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) { return output_term(x, s, true, i, j); }
};

using stages = mskb::List<turn, part>;
using outputs = mskb::List<output_real, output_img>;
