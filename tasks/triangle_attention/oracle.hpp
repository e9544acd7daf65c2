#pragma once
#include "mskb/oracle.hpp"

// Element i of [B, H, S, D] at position p of its sequence sees the elements of its channel at positions j <= p.
MSKB_FN int64_t position(const auto& x, int64_t i) { return i / x.head_dim % x.seq_length; }

// The element of the same batch, head and channel at position j
MSKB_FN int64_t at_position(const auto& x, int64_t i, int64_t j) { return i + (j - position(x, i)) * x.head_dim; }

MSKB_FN bool allowed(const auto& x, int64_t i, int64_t j) {
  const int64_t batch = i / (x.head_num * x.seq_length * x.head_dim);
  return x.attention_mask[(batch * x.seq_length + position(x, i)) * x.seq_length + j] <= 0.5;
}

MSKB_FN double score(const auto& x, int64_t i, int64_t j) {
  return x.query[i] * x.key[at_position(x, i, j)] / sqrt(static_cast<double>(x.head_dim));
}

MSKB_FN int64_t elements(const auto& x) { return x.batch_size * x.head_num * x.seq_length * x.head_dim; }

// The largest score that is allowed; 0 where none is
struct top {
  MSKB_FN static int64_t size(const auto& x) { return elements(x); }
  MSKB_FN static double value(const auto& x, const auto&, int64_t i) {
    bool any = false;
    double highest = 0;
    for (int64_t j = 0; j <= position(x, i); ++j) {
      if (!allowed(x, i, j)) continue;
      const double next = score(x, i, j);
      if (!any || next > highest) highest = next;
      any = true;
    }
    return highest;
  }
};

MSKB_FN double weight(const auto& x, const auto& s, int64_t i, int64_t j) {
  return allowed(x, i, j) ? exp(score(x, i, j) - s(top{}, i)) : 0;
}

struct total {
  MSKB_FN static int64_t size(const auto& x) { return elements(x); }
  MSKB_FN static int64_t terms(const auto& x, int64_t i) { return position(x, i) + 1; }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) { return weight(x, s, i, j); }
};

struct output {
  MSKB_FN static int64_t terms(const auto& x, int64_t i) { return position(x, i) + 1; }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) {
    return weight(x, s, i, j) * x.value[at_position(x, i, j)];
  }
  MSKB_FN static double finish(const auto&, const auto& s, int64_t i, double sum) {
    return s(total{}, i) > 0 ? sum / s(total{}, i) : 0;
  }
  // A score errs by its rounding, and its weight by as much.
  MSKB_FN static double scale(const auto&, const auto& s, int64_t i) {
    return s(total{}, i) > 0 ? (1 + fabs(s(top{}, i))) / s(total{}, i) : 0;
  }
};

using stages = mskb::List<top, total>;
using outputs = mskb::List<output>;
