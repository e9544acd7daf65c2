#include "evaluate/verification.hpp"

#include <algorithm>

namespace mskb {

namespace {

// False when the worker was lost.
bool verify_seat(Bench& bench, std::size_t index, CaseState& state) {
  const Case& test_case = bench.current();
  const bool reference = bench.seats()[index].candidate->is_reference();
  const std::uint64_t steps = test_case.set == "check" ? 2 : 3;
  for (std::uint64_t i = 0; i < steps; ++i) {
    StepRequest request;
    request.contents = i < 2 ? 0 : 1;
    request.salt = i;
    request.clock = i == 1 ? wire::Clock::span : wire::Clock::call;  // activity is recorded once, for the inventory
    request.whole = request.stop = true;
    request.keep_as_reference = reference && i == 0;
    request.compare = !reference && i == 0 && test_case.set == "paper";
    const StepResult result = bench.step(index, request);
    state.judge.add(request.contents, result.observation);
    bench.seats()[index].never_loads = result.observation.end == Observation::End::never_loaded;
    if (result.observation.lost_worker()) {
      return false;
    }
    if (result.observation.end == Observation::End::unsupported) {
      return true;
    }
    if (result.observation.end != Observation::End::answered) {
      continue;
    }
    state.call_us = result.called.call_us;
    if (i == 0) {
      state.first_call_us = result.called.call_us;
      state.paper_verdict = paper_verdict(test_case, *result.observation.findings);
    }
    if (const Observation around = bench.seats()[index].worker->look_around(); around.end != Observation::End::answered) {
      state.judge.add(request.contents, around);
      return false;
    }
    if (i == 1) {
      bench.seats()[index].worker->freeze(false);
      if (const Observation listed = bench.seats()[index].worker->list_launches(state.launches); listed.lost_worker()) {
        state.judge.add(request.contents, listed);
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::string paper_verdict(const Case& test_case, const wire::Findings& findings) {
  if (findings.paper_compared == 0) {
    return "";
  }
  double elements = 0;
  for (const CaseArgument& argument : test_case.arguments) {
    if (argument.role == Role::out || argument.role == Role::inout) {
      elements = std::max(elements, static_cast<double>(argument.elements));
    }
  }
  const double allowed = test_case.problem.task->paper_rule.share * elements;
  const auto violations = static_cast<double>(findings.paper_violations);
  return violations == 0 || violations < allowed ? "passed" : "failed";
}

std::vector<CaseState> verify_case(Bench& bench) {
  std::vector<CaseState> states;
  for (std::size_t i = 0; i < bench.seats().size(); ++i) {
    states.emplace_back(bench.current());
    Seat& seat = bench.seats()[i];
    if (!seat.worker || seat.given_up()) {
      continue;
    }
    states[i].run = true;
    if (!verify_seat(bench, i, states[i])) {
      ++seat.lost_workers;
      seat.lost_as = states[i].judge.verdict();
    }
    if (seat.candidate->is_reference()) {
      bench.set_reference_call(states[i].call_us);
    }
  }
  return states;
}

}  // namespace mskb
