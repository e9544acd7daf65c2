#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "judge/step_verdict.hpp"
#include "model/evaluation.hpp"

namespace mskb {

// Gathers all steps of one case x one candidate into the fields of an Evaluation that come from checking.
class CaseJudge {
 public:
  explicit CaseJudge(const Case& test_case) : case_(test_case) {}

  // One step with the contents `step`.
  StepVerdict add(std::uint64_t step, const Observation& observation);

  bool passed() const { return steps_ > 0 && first_failure_.verdict == Verdict::passed; }
  Verdict verdict() const;
  void write(Evaluation& evaluation) const;  // verdict, detail, bitwise, errors

 private:
  struct Seen {
    int accepted = 0, refused = 0;
    std::vector<std::uint64_t> fingerprints;  // of the outputs, of the first accepted step
    bool varies = false;
  };

  const Case& case_;
  int steps_ = 0;
  StepVerdict first_failure_;
  std::map<std::uint64_t, Seen> by_contents_;
  std::map<std::size_t, OutputError> errors_;
};

}  // namespace mskb
