#pragma once
#include "judge/observation.hpp"
#include "model/case.hpp"

namespace mskb::test {

// in[64], out[64]
inline Case two_buffer_case() {
  static const Task task = [] {
    Task made;
    made.name = "copy";
    return made;
  }();
  Case test_case;
  test_case.problem = {&task, Precision::fp32};
  test_case.set = "check";
  CaseArgument in, out;
  in.name = "in";
  in.role = Role::in;
  in.elements = 64;
  out.name = "out";
  out.role = Role::out;
  out.elements = 64;
  out.accept.kind = AcceptKind::elementwise;
  test_case.arguments = {in, out};
  return test_case;
}

inline Observation clean() {
  wire::Findings findings{};
  findings.guard_argument = -1;
  findings.modified_input = -1;
  for (auto& output : findings.outputs) {
    output.first_refused = -1;
  }
  findings.outputs[1].checked = 64;
  findings.outputs[1].fingerprint = 7;
  Observation observation;
  observation.findings = findings;
  return observation;
}

inline Observation refused(std::uint64_t unwritten = 0) {
  Observation observation = clean();
  auto& output = observation.findings->outputs[1];
  output.refused = 3;
  output.unwritten = unwritten;
  output.first_refused = 17;
  output.got = 0.25;
  output.want = 0.5;
  return observation;
}

}  // namespace mskb::test
