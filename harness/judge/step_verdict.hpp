#pragma once
#include <string>

#include "judge/observation.hpp"
#include "model/case.hpp"
#include "model/verdict.hpp"

namespace mskb {

struct StepVerdict {
  Verdict verdict = Verdict::passed;
  std::string detail;  // one line: what and where; empty when passed
};

// One step's observation as a verdict. When several things are wrong the first of this order is named: how the process ended, bytes outside
// the buffers, changed inputs, unwritten outputs, wrong outputs.
StepVerdict judge_step(const Case& test_case, const Observation& observation);

}  // namespace mskb
