#pragma once
#include <cmath>
#include <cstdint>

#include "base/host_device.hpp"

// What a task's oracle.hpp is written with. It defines the operation in plain double arithmetic:
//
//   struct square_sum {                                        // a stage: a named array of doubles
//     MSKB_FN static int64_t size(const auto& x) { return 1; }
//     MSKB_FN static int64_t terms(const auto& x, int64_t) { return x.N; }
//     MSKB_FN static double term(const auto& x, const auto&, int64_t, int64_t j) { return x.input[j] * x.input[j]; }
//   };
//   struct output {                                            // an output, named as the argument
//     MSKB_FN static mskb::Value value(const auto& x, const auto& s, int64_t i) { ... s(square_sum{}, 0) ... }
//   };
//   using stages = mskb::List<square_sum>;                     // in the order in which they are filled; List<> when there are none
//   using outputs = mskb::List<output>;
//
// `x` names the case: every input buffer as a function of the index that reads a double (x.input[j]; inout arguments read their contents on
// entry), every dim as int64_t, every scalar as double. `s(stage{}, i)` reads element i of an earlier stage.
// A stage or an output is one of:
//   value(x, s, i)                      element by element; a stage returns double, an output returns Value
//   terms(x, i), term(x, s, i, j)       a sum of terms; optionally finish(x, s, i, sum) -> double, applied to the sum. The magnitude is the
//                                       sum of |terms| times finish's slope, which is taken from finish itself; where that is not
//                                       linear, state the slope: scale(x, s, i)
//                                       terms(x, s, i) where an earlier stage says how many there are
//   ascending                           a constant beside a stage's value: its elements are sorted after they are filled
//   sorted(x)                           output only: the ascending order of its own contents on entry (accept: order)
namespace mskb {

// A wanted value and the scale of its rounding errors: the sum of the absolute values of what was added to make it.
struct Value {
  double want, magnitude;
};

template <class... Items>
struct List {};

}  // namespace mskb
