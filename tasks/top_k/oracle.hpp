#pragma once
#include "mskb/oracle.hpp"

// How many values come before input[i]: larger ones, and equal ones in front of it. Not counted beyond k.
struct rank {
  MSKB_FN static int64_t size(const auto& x) { return x.N; }
  MSKB_FN static double value(const auto& x, const auto&, int64_t i) {
    const double own = x.input[i];
    int64_t before = 0;
    for (int64_t j = 0; j < x.N && before < x.k; ++j) {
      const double other = x.input[j];
      before += other > own || (other == own && j < i) ? 1 : 0;
    }
    return static_cast<double>(before);
  }
};

// The position of the value of rank r
struct position {
  MSKB_FN static int64_t size(const auto& x) { return x.k; }
  MSKB_FN static double value(const auto& x, const auto& s, int64_t r) {
    int64_t found = 0;
    for (int64_t i = 0; i < x.N; ++i) {
      found = s(rank{}, i) == static_cast<double>(r) ? i : found;
    }
    return static_cast<double>(found);
  }
};

struct top_k_values {
  MSKB_FN static mskb::Value value(const auto& x, const auto& s, int64_t r) {
    const double value = x.input[static_cast<int64_t>(s(position{}, r))];
    return {value, fabs(value)};
  }
};

struct top_k_indices {
  MSKB_FN static mskb::Value value(const auto&, const auto& s, int64_t r) {
    return {s(position{}, r), s(position{}, r)};
  }
};

using stages = mskb::List<rank, position>;
using outputs = mskb::List<top_k_values, top_k_indices>;
