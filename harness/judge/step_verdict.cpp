#include "judge/step_verdict.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/counted.hpp"

namespace mskb {

namespace {

StepVerdict judge_output(const CaseArgument& argument, const wire::OutputFindings& found) {
  if (found.unwritten > 0) {
    return {Verdict::incomplete, fmt::format("{}: {} of {} checked elements were never written (first refused: index {})",
                                             argument.name, found.unwritten, found.checked, found.first_refused)};
  }
  if (found.refused == 0) {
    return {};
  }
  if (argument.accept.kind == AcceptKind::order) {
    return {Verdict::mismatch, fmt::format("{}: not the ascending order of its contents on entry ({} refused, first at index {})",
                                           argument.name, counted(found.refused, "element"), found.first_refused)};
  }
  if (argument.accept.kind == AcceptKind::normwise && found.first_refused < 0) {
    return {Verdict::mismatch, fmt::format("{}: the error's norm is {:.3g} times its bound", argument.name, found.worst_ratio)};
  }
  return {Verdict::mismatch, fmt::format("{}[{}]: got {:.9g}, want {:.9g} ({} of {} checked elements refused, worst {:.3g} times the bound)",
                                         argument.name, found.first_refused, found.got, found.want, found.refused, found.checked,
                                         found.worst_ratio)};
}

StepVerdict judge_findings(const Case& test_case, const wire::Findings& findings) {
  const auto& arguments = test_case.arguments;
  if (findings.guard_bytes_changed > 0) {
    const std::string buffer =
        findings.guard_argument >= 0 ? arguments[static_cast<std::size_t>(findings.guard_argument)].name : "the buffers";
    return {Verdict::out_of_bounds,
            findings.guard_distance < 0
                ? fmt::format("{} changed outside the buffers, first {} before the start of {}", counted(findings.guard_bytes_changed, "byte"),
                              counted(-findings.guard_distance, "byte"), buffer)
                : fmt::format("{} changed outside the buffers, first {} past the end of {}", counted(findings.guard_bytes_changed, "byte"),
                              counted(findings.guard_distance, "byte"), buffer)};
  }
  if (findings.modified_input >= 0) {
    return {Verdict::modified_input, fmt::format("{} of the input {} {} changed", counted(findings.modified_elements, "element"),
                                                 arguments[static_cast<std::size_t>(findings.modified_input)].name,
                                                 findings.modified_elements == 1 ? "was" : "were")};
  }
  StepVerdict worst;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].role != Role::out && arguments[i].role != Role::inout) {
      continue;
    }
    const StepVerdict verdict = judge_output(arguments[i], findings.outputs[i]);
    if (verdict.verdict == Verdict::incomplete || worst.verdict == Verdict::passed) {
      worst = verdict;
    }
    if (worst.verdict == Verdict::incomplete) {
      break;
    }
  }
  return worst;
}

}  // namespace

StepVerdict judge_step(const Case& test_case, const Observation& observation) {
  using End = Observation::End;
  if (observation.end != End::answered && observation.text.empty()) {  // an exception may have no words
    Observation worded = observation;
    worded.text = "it gave no reason";
    return judge_step(test_case, worded);
  }
  switch (observation.end) {
    case End::answered:
      return judge_findings(test_case, observation.findings.value());
    case End::launch_failed:
    case End::context_lost:
    case End::threw:
      return {Verdict::launch_failed, observation.text};
    case End::fault:
      return {observation.text.find("out of bounds") != std::string::npos ? Verdict::out_of_bounds : Verdict::launch_failed,
              observation.text};
    case End::unsupported:
      return {Verdict::skipped, observation.text};
    case End::died:
      return {Verdict::crashed, observation.text};
    case End::timed_out:
    case End::never_loaded:
      return {Verdict::timed_out, observation.text};
    case End::unloadable:
      return {Verdict::build_failed, observation.text};
    case End::violation:
      return {Verdict::violation, observation.text};
  }
  std::abort();
}

}  // namespace mskb
