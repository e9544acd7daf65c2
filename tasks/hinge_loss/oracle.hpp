#pragma once
#include "mskb/oracle.hpp"

// loss[i] = max(0, 1 - y * predictions[i]) with y = 1 where targets[i] is 1, else -1
struct loss {
  MSKB_FN static mskb::Value value(const auto& x, const auto&, int64_t i) {
    const double margin = x.targets[i] == 1 ? x.predictions[i] : -x.predictions[i];
    return {margin < 1 ? 1 - margin : 0, 1 + fabs(margin)};
  }
};

using stages = mskb::List<>;
using outputs = mskb::List<loss>;
