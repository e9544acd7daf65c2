#pragma once
#include <string>
#include <vector>

#include "evaluate/evaluator.hpp"

namespace mskb {

// One statement that `mskb check` proved or refuted for a problem.
struct CheckFinding {
  bool holds = false;
  std::string statement;  // "zeros are refused at every smoke case"
  std::string detail;     // where it fails, or why it does not apply
  bool applies = true;
};

// Proves a problem's acceptance on one backend with outputs that the keeper itself writes:
//   zeros, a constant, stale, unwritten and half-written outputs are refused at every case of `set`;
//   each damage that can matter is refused at one `check` case at least;
//   honest FP32 summation in three orders is accepted at every case;
//   the wanted output is finite and not near constant at every case of `set`; contents repeat bit for bit.
std::vector<CheckFinding> check_problem(const EvaluatorOptions& options, const Problem& problem, const std::string& set);

}  // namespace mskb
