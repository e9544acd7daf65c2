#include "report/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/counted.hpp"

namespace mskb {

namespace {

constexpr double shortest_us = 20, tolerance = 0.01;

struct Count {
  int cases = 0, good = 0, near = 0;
};

void add_paper_noise(const ReportData& data, std::vector<std::string>& lines) {
  double sum = 0, largest = 0;
  int problems = 0;
  for (const ProblemScore& problem : data.problems) {
    if (problem.origin == "selftest:identity" && problem.weighted_speedup > 0) {
      const double distance = std::fabs(problem.weighted_speedup - 1);
      sum += distance;
      largest = std::max(largest, distance);
      ++problems;
    }
  }
  if (problems > 0) {
    lines.push_back(fmt::format("noise of the protocol: |P - 1| of the reference against itself is {:.3f} on average, at most {:.3f} ({})",
                                sum / problems, largest, counted(problems, "problem")));
  }
}

}  // namespace

std::string unfit_reason(const Run& run) {
  constexpr std::string_view failed = "failed: ";
  const auto found = run.figures.find("self_test");
  return found != run.figures.end() && found->second.starts_with(failed) ? found->second.substr(failed.size()) : "";
}

std::vector<std::string> self_test_lines(const ReportData& data) {
  std::vector<std::string> lines;
  if (data.scoring.cpu) {
    return lines;
  }
  if (data.is_paper()) {
    add_paper_noise(data, lines);
    return lines;
  }
  Count identity, slower;
  for (const Evaluation& evaluation : data.stored.evaluations) {
    if (!evaluation.timing || !evaluation.timing->clocks.contains("span") || !evaluation.timing->speedups.contains("span") ||
        evaluation.timing->clocks.at("span").median <= shortest_us) {
      continue;
    }
    const SpeedupEstimate& estimate = evaluation.timing->speedups.at("span");
    const bool near = std::fabs(estimate.value - 1) <= tolerance;
    if (evaluation.origin == "selftest:identity") {
      ++identity.cases;
      identity.near += near ? 1 : 0;
      identity.good += near && estimate.decided ? 1 : 0;
    } else if (evaluation.origin == "selftest:slower") {
      ++slower.cases;
      slower.good += estimate.verdict == "slower" ? 1 : 0;
    }
  }
  if (identity.cases > 0) {
    lines.push_back(fmt::format("--self-test: the reference against itself is 1 within 1 % in {} of {} cases over {} us, with an interval of 1 % in {}",
                                identity.near, identity.cases, shortest_us, identity.good));
  }
  if (slower.cases > 0) {
    lines.push_back(fmt::format("--self-test: a copy with 5 % added is called slower in {} of {} cases over {} us", slower.good, slower.cases,
                                shortest_us));
  }
  return lines;
}

}  // namespace mskb
