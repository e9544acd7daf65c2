#pragma once
#include <vector>

#include "evaluate/bench.hpp"
#include "model/evaluation.hpp"

namespace mskb {

// What verification and timing of one case know of one seat.
struct CaseState {
  explicit CaseState(const Case& test_case) : judge(test_case) {}
  CaseJudge judge;
  std::vector<KernelLaunch> launches;
  std::string paper_verdict;
  double first_call_us = 0, call_us = 0;  // host clock of the first and of the latest call
  bool run = false;
};

// "passed" or "failed" by the published rule; empty where it was not asked, as at sizes that are not published.
std::string paper_verdict(const Case& test_case, const wire::Findings& findings);

// Checks the open case for every seat with a worker that is not given up: the same contents twice at different addresses, then (unless the set is `check`) other
// contents once. The reference goes first; by the published rule candidates are compared with its output on the same contents.
std::vector<CaseState> verify_case(Bench& bench);

}  // namespace mskb
