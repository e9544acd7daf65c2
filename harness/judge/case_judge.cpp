#include "judge/case_judge.hpp"

#include <algorithm>
#include <cmath>

namespace mskb {

namespace {

bool is_output(const CaseArgument& argument) { return argument.role == Role::out || argument.role == Role::inout; }

void worsen(OutputError& error, const wire::OutputFindings& found) {
  error.checked += found.checked;
  error.refused += found.refused;
  error.unwritten += found.unwritten;
  error.not_finite += found.not_finite;
  error.worst_ratio = std::max(error.worst_ratio, found.worst_ratio);
  error.worst_absolute = std::max(error.worst_absolute, found.worst_absolute);
  if (found.squared_want > 0) {
    error.l2 = std::max(error.l2, std::sqrt(found.squared_error / found.squared_want));
  }
  if (error.first_refused < 0 && found.first_refused >= 0) {
    error.first_refused = found.first_refused;
    error.got = found.got;
    error.want = found.want;
  }
}

}  // namespace

StepVerdict CaseJudge::add(std::uint64_t step, const Observation& observation) {
  const StepVerdict verdict = judge_step(case_, observation);
  ++steps_;
  if (first_failure_.verdict == Verdict::passed) {
    first_failure_ = verdict;
  }
  if (observation.end != Observation::End::answered) {
    return verdict;
  }
  Seen& seen = by_contents_[step];
  (verdict.verdict == Verdict::passed ? seen.accepted : seen.refused)++;
  std::vector<std::uint64_t> fingerprints;
  for (std::size_t i = 0; i < case_.arguments.size(); ++i) {
    if (is_output(case_.arguments[i])) {
      OutputError& error = errors_[i];
      error.output = case_.arguments[i].name;
      worsen(error, observation.findings->outputs[i]);
      fingerprints.push_back(observation.findings->outputs[i].fingerprint);
    }
  }
  if (verdict.verdict == Verdict::passed) {
    if (seen.fingerprints.empty()) {
      seen.fingerprints = std::move(fingerprints);
    } else if (seen.fingerprints != fingerprints) {
      seen.varies = true;
    }
  }
  return verdict;
}

Verdict CaseJudge::verdict() const {
  const bool mixed = std::any_of(by_contents_.begin(), by_contents_.end(),
                                 [](const auto& entry) { return entry.second.accepted > 0 && entry.second.refused > 0; });
  if (mixed && (first_failure_.verdict == Verdict::mismatch || first_failure_.verdict == Verdict::incomplete)) {
    return Verdict::nondeterministic;
  }
  return steps_ == 0 ? Verdict::skipped : first_failure_.verdict;
}

void CaseJudge::write(Evaluation& evaluation) const {
  evaluation.verdict = verdict();
  evaluation.detail = first_failure_.detail;
  bool repeated = false, varies = false;
  for (const auto& [step, seen] : by_contents_) {
    repeated = repeated || seen.accepted > 1;
    varies = varies || seen.varies;
  }
  evaluation.bitwise = varies ? "varies" : repeated ? "same" : "";
  evaluation.errors.clear();
  for (const auto& [index, error] : errors_) {
    evaluation.errors.push_back(error);
  }
}

}  // namespace mskb
