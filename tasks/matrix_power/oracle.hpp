#pragma once
#include "mskb/oracle.hpp"

// With P_k = P >> k, from the highest bit of P down:
//   squared_k = power_(k+1) * power_(k+1)
//   power_k = A^(P_k) = squared_k * A where P_k is odd, else squared_k
// P is at most 16, so power_4 is A or nothing. Powers below A^2 are not stored.

MSKB_FN bool is_stored(const auto& x, int k) { return x.P >> k >= 2; }
MSKB_FN bool is_odd(const auto& x, int k) { return (x.P >> k) % 2 == 1; }

template <int k>
struct squared;
template <int k>
struct power;

// Element (row, column) of A^(P >> k), which is at least 1.
template <int k>
MSKB_FN double power_at(const auto& x, const auto& s, int64_t row, int64_t column) {
  const int64_t i = row * x.N + column;
  if constexpr (k < 4) {
    return is_stored(x, k) ? s(power<k>{}, i) : x.A[i];
  } else {
    return x.A[i];
  }
}

template <int k>
struct squared {
  MSKB_FN static int64_t size(const auto& x) { return is_stored(x, k) && is_odd(x, k) ? x.N * x.N : 0; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) {
    return power_at<k + 1>(x, s, i / x.N, j) * power_at<k + 1>(x, s, j, i % x.N);
  }
};

template <int k>
struct power {
  MSKB_FN static int64_t size(const auto& x) { return is_stored(x, k) ? x.N * x.N : 0; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) {
    if (is_odd(x, k)) return s(squared<k>{}, i / x.N * x.N + j) * x.A[j * x.N + i % x.N];
    return squared<k>::term(x, s, i, j);
  }
};

struct B : power<0> {};

using stages = mskb::List<squared<3>, power<3>, squared<2>, power<2>, squared<1>, power<1>, squared<0>>;
using outputs = mskb::List<B>;
