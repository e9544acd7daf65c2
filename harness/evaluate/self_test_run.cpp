#include "evaluate/self_test_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "evaluate/self_test.hpp"
#include "evaluate/statistics.hpp"
#include "model/task_file.hpp"

namespace mskb {

namespace {

constexpr double budget_s = 5;
constexpr double shortest_us = 20;  // below, 5 % is less than the launch's own noise

const Evaluation* find(const std::vector<Evaluation>& group, const std::string& origin) {
  const auto found = std::find_if(group.begin(), group.end(), [&](const Evaluation& each) { return each.origin == origin; });
  return found == group.end() ? nullptr : &*found;
}

const SpeedupEstimate* speedup_of(const Evaluation* evaluation) {
  return evaluation != nullptr && evaluation->timing ? evaluation->timing->cold_speedup() : nullptr;
}

std::string text_of(const SpeedupEstimate& estimate) {
  return fmt::format("{:.3f} ({:.3f} to {:.3f}), {}", estimate.value, estimate.low, estimate.high, estimate.verdict);
}

bool long_enough(const Evaluation& reference) {
  if (!reference.timing) {
    return false;
  }
  const auto& clocks = reference.timing->clocks;
  const auto found = clocks.contains("span") ? clocks.find("span") : clocks.find("call");
  return found != clocks.end() && found->second.median > shortest_us;
}

}  // namespace

Candidate zeros_self_test(const Case& test_case) {
  std::string body;
  for (const CaseArgument& argument : test_case.arguments) {
    if (argument.role == Role::out || argument.role == Role::inout) {
      body += fmt::format("  cudaMemset({}, 0, {}ull * sizeof *{});\n", argument.name, argument.elements, argument.name);
    }
  }
  Candidate candidate;
  candidate.origin = "selftest:zeros";
  candidate.main_source = "zeros.cu";
  candidate.sources["zeros.cu"] = fmt::format("#include <cuda_bf16.h>\n#include <cuda_runtime.h>\n\nextern \"C\" {} {{\n{}}}\n",
                                              declaration(test_case.problem), body);
  return candidate;
}

std::vector<std::string> self_test_faults(const std::map<std::string, std::string>& figures, bool timed) {
  std::vector<std::string> faults;
  const std::string result = figures.at("self_test");
  const bool passed = result == "passed" || result.starts_with("passed, but tells little: ");
  if (!passed && !result.starts_with("failed: ")) {
    faults.push_back(fmt::format("self_test is {}, which is no result of one", result));
  }
  const auto part = [&](const char* name) {
    const auto found = figures.find(name);
    return found == figures.end() ? std::string("not there") : found->second;
  };
  const auto expect = [&](const char* name, bool fits) {
    if (passed && !fits) {
      faults.push_back(fmt::format("self_test is called passed, and {} is {}", name, part(name)));
    }
  };
  const std::string zeros = part("self_test_zeros"), identity = part("self_test_identity"), slower = part("self_test_slower");
  expect("self_test_case", !part("self_test_case").empty() && part("self_test_case") != "not there");
  expect("self_test_zeros", zeros == to_string(Verdict::mismatch) || zeros == to_string(Verdict::incomplete));
  if (timed) {
    // As text_of() writes them.
    const auto is_estimate = [](const std::string& text, std::string_view verdict) {
      double value = 0, low = 0, high = 0;
      int read = 0;
      return std::sscanf(text.c_str(), "%lf (%lf to %lf), %n", &value, &low, &high, &read) == 3 && low <= value && value <= high &&
             std::string_view(text).substr(static_cast<std::size_t>(read)) == verdict;
    };
    expect("self_test_identity", is_estimate(identity, "same") || is_estimate(identity, "undecided"));
    expect("self_test_slower", is_estimate(slower, "slower") || is_estimate(slower, "undecided") || is_estimate(slower, "same"));
  }
  return faults;
}

std::map<std::string, std::string> judge_self_test(const std::vector<Evaluation>& group) {
  std::map<std::string, std::string> figures;
  std::vector<std::string> failures;
  std::string unless_failed = "passed";
  const Evaluation& reference = group.front();
  figures["self_test_case"] = reference.case_name;
  const Evaluation* zeros = find(group, "selftest:zeros");
  if (reference.verdict == Verdict::skipped || zeros == nullptr || zeros->verdict == Verdict::skipped) {
    figures["self_test"] = "not run: " + (reference.detail.empty() && zeros != nullptr ? zeros->detail : reference.detail);
    return figures;
  }
  if (info(reference.verdict).failure) {
    figures["self_test"] = fmt::format("not run: the reference is {}", to_string(reference.verdict));
    return figures;
  }
  figures["self_test_zeros"] = fmt::format("{}", to_string(zeros->verdict));
  if (zeros->verdict != Verdict::mismatch && zeros->verdict != Verdict::incomplete) {
    failures.push_back(fmt::format("outputs of zeros are {}", to_string(zeros->verdict)));
  }
  if (const SpeedupEstimate* identity = speedup_of(find(group, "selftest:identity"))) {
    figures["self_test_identity"] = text_of(*identity);
    if (identity->verdict == "faster" || identity->verdict == "slower") {
      failures.push_back(fmt::format("the reference against itself is {}", text_of(*identity)));
    }
  }
  if (const SpeedupEstimate* slower = speedup_of(find(group, "selftest:slower"))) {
    figures["self_test_slower"] = text_of(*slower);
    if (slower->low > 1 - noise_floor && long_enough(reference)) {
      failures.push_back(fmt::format("a copy with 5 % added is {}", text_of(*slower)));
    } else if (slower->verdict != "slower" && long_enough(reference)) {
      unless_failed = fmt::format("passed, but tells little: a copy with 5 % added is {}", text_of(*slower));
    }
  }
  figures["self_test"] = failures.empty() ? unless_failed : fmt::format("failed: {}", fmt::join(failures, "; "));
  return figures;
}

std::map<std::string, std::string> run_self_test(EvaluatorOptions options, const Problem& problem, const std::vector<std::string>& sets,
                                                 const std::function<void(const std::string&)>& progress) {
  const auto timed_set = std::find_if(sets.begin(), sets.end(), [](const std::string& set) { return set != "check"; });
  const std::string set = timed_set == sets.end() ? "smoke" : *timed_set;
  std::vector<Case> cases = make_cases(problem, set);
  if (cases.empty()) {
    return {{"self_test", fmt::format("not run: {} has no cases of set {}", problem.name(), set)}};
  }
  const Case& test_case = cases[cases.size() / 2];
  ProblemPlan plan;
  plan.problem = problem;
  plan.sets = {set};
  plan.only_case = test_case.name();
  plan.candidates = {reference_candidate(problem), zeros_self_test(test_case)};
  const bool timing = options.backend == Backend::cuda && options.timing && !options.sanitize && options.protocol == Protocol::strict;
  if (timing) {
    plan.candidates.push_back(identity_self_test(problem));
    plan.candidates.push_back(slower_self_test(problem));
  }
  options.timing = timing;
  options.budget = std::chrono::duration<double>(budget_s);
  options.key = RunKey::draw();
  options.run_id = options.key.hex.substr(0, 12);
  std::map<std::string, std::string> figures;
  EvaluatorSink sink;
  sink.progress = [&](const std::string& text) { progress("self-test: " + text); };
  sink.group = [&](const std::vector<Evaluation>& group) { figures = judge_self_test(group); };
  Evaluator evaluator(std::move(options));
  evaluator.run({plan}, sink);
  if (figures["self_test"].starts_with("failed: ")) {  // an interval may miss the truth once
    const std::string first = figures["self_test"];
    evaluator.run({plan}, sink);
    figures["self_test_first"] = first;
  }
  return figures;
}

}  // namespace mskb
