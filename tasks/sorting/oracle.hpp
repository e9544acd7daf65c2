#pragma once
#include "mskb/oracle.hpp"

// data in ascending order, with the keys that it held on entry
struct data {
  MSKB_FN static void sorted(const auto&) {}
};

using stages = mskb::List<>;
using outputs = mskb::List<data>;
