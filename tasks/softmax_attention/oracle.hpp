#pragma once
#include "mskb/oracle.hpp"

struct score {
  MSKB_FN static int64_t size(const auto& x) { return x.q_seq_len * x.kv_seq_len; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.dim_qk; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) {
    return x.Q[i / x.kv_seq_len * x.dim_qk + j] * x.K[i % x.kv_seq_len * x.dim_qk + j];
  }
  MSKB_FN static double finish(const auto& x, const auto&, int64_t, double sum) {
    return sum / sqrt(static_cast<double>(x.dim_qk));
  }
};

struct top {
  MSKB_FN static int64_t size(const auto& x) { return x.q_seq_len; }
  MSKB_FN static double value(const auto& x, const auto& s, int64_t row) {
    double highest = s(score{}, row * x.kv_seq_len);
    for (int64_t j = 1; j < x.kv_seq_len; ++j) highest = fmax(highest, s(score{}, row * x.kv_seq_len + j));
    return highest;
  }
};

struct weight {
  MSKB_FN static int64_t size(const auto& x) { return x.q_seq_len * x.kv_seq_len; }
  MSKB_FN static double value(const auto& x, const auto& s, int64_t i) {
    return exp(s(score{}, i) - s(top{}, i / x.kv_seq_len));
  }
};

struct total {
  MSKB_FN static int64_t size(const auto& x) { return x.q_seq_len; }
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.kv_seq_len; }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t row, int64_t j) {
    return s(weight{}, row * x.kv_seq_len + j);
  }
};

// Y[i,d] = sum over j of weight[i,j] * V[j,d] / total[i]
struct Y {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.kv_seq_len; }
  MSKB_FN static double term(const auto& x, const auto& s, int64_t i, int64_t j) {
    return s(weight{}, i / x.dim_v * x.kv_seq_len + j) * x.V[j * x.dim_v + i % x.dim_v];
  }
  MSKB_FN static double scale(const auto& x, const auto& s, int64_t i) { return 1 / s(total{}, i / x.dim_v); }
  MSKB_FN static double finish(const auto& x, const auto& s, int64_t i, double sum) { return sum * scale(x, s, i); }
};

using stages = mskb::List<score, top, weight, total>;
using outputs = mskb::List<Y>;
