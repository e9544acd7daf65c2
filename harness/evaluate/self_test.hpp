#pragma once
#include "model/candidate.hpp"
#include "model/case.hpp"

namespace mskb {

// The harness tests itself with two candidates whose answers are known: the reference against itself is 1.00, and a copy whose worker adds a
// spin of 5 % of the reference's time after each call is slower.
Candidate identity_self_test(const Problem& problem);
Candidate slower_self_test(const Problem& problem);

inline constexpr double self_test_delay = 0.05;
bool is_slower_self_test(const std::string& origin);
// Both are the reference's own source: what is granted to the original's rounding is granted to them.
bool is_self_test(const Candidate& candidate);

}  // namespace mskb
