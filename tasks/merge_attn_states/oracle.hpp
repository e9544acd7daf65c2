#pragma once
#include "mskb/oracle.hpp"

// The two log-sums of one head and token, either infinity replaced by the lowest finite FP32 number, and their weights.
struct Merge {
  double top, a, b;
};

MSKB_FN double bounded(double lse) { return fabs(lse) > 3.4028234663852886e38 ? -3.4028234663852886e38 : lse; }

MSKB_FN Merge merge_of(const auto& x, int64_t head, int64_t token) {
  const double la = bounded(x.lse_a[head * x.num_tokens + token]), lb = bounded(x.lse_b[head * x.num_tokens + token]);
  const double top = la > lb ? la : lb;
  return {top, exp(la - top), exp(lb - top)};
}

// V_out[t,h,d] = (a V_a[t,h,d] + b V_b[t,h,d]) / (a + b)
struct V_out {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const int64_t row = i / x.head_size;
    const Merge m = merge_of(x, row % x.num_heads, row / x.num_heads);
    const double a = m.a * x.V_a[i], b = m.b * x.V_b[i];
    return {(a + b) / (m.a + m.b), (fabs(a) + fabs(b)) / (m.a + m.b)};
  }
};

// LSE_out[h,t] = top + ln(a + b)
struct LSE_out {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const Merge m = merge_of(x, i / x.num_tokens, i % x.num_tokens);
    return {m.top + log(m.a + m.b), fabs(m.top) + 1};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<V_out, LSE_out>;
