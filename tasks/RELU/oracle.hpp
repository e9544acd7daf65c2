#pragma once
#include "mskb/oracle.hpp"

// output[i] = max(input[i], 0)
struct output {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double want = x.input[i] > 0 ? x.input[i] : 0;
    return {want, want};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
