#pragma once
#include "mskb/oracle.hpp"

// output[i] = sum over j of input[i+j] * kernel[j]
struct output {
  MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.kernel_size; }
  MSKB_FN static double term(const auto& x, const auto&, int64_t i, int64_t j) { return x.input[i + j] * x.kernel[j]; }
};

using stages = mskb::List<>;
using outputs = mskb::List<output>;
