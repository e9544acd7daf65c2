#pragma once
#include <string>
#include <vector>

#include "model/evaluation.hpp"
#include "model/run.hpp"

// Invented runs and evaluations for tests of store and report.
namespace mskb::samples {

inline Run run(const std::string& protocol = "strict", const std::string& backend = "cuda") {
  Run run;
  run.id = "0123456789ab";
  run.started = "2001-02-03T04:05:06Z";
  run.tool_version = "0.1.0";
  run.tool_commit = "abcdef0";
  run.command = {"mskb", "run", "--task", "a b", "--out", ""};
  run.protocol = protocol;
  run.sandbox = "full";
  run.key = "00112233445566778899aabbccddeeff";
  run.environment.backend = backend;
  run.environment.device = backend == "cuda" ? "Invented GPU" : "Invented CPU";
  run.environment.driver = "1.2";
  run.environment.toolkit = "3.4";
  run.environment.compiler = "g++ 5";
  run.environment.memory_bandwidth = 1e12;
  run.environment.fp32_flops = 1e13;
  run.environment.l2_bytes = 12345678;
  run.environment.multiprocessors = 7;
  return run;
}

// One case of one candidate that passed, not timed.
inline Evaluation passed(const std::string& task, int index, const std::string& origin, int group_size, const std::string& set = "paper",
                         const std::string& precision = "fp32") {
  Evaluation evaluation;
  evaluation.task = task;
  evaluation.precision = precision;
  evaluation.set = set;
  evaluation.case_name.append(task).append("/").append(precision).append("/").append(set).append("/").append(std::to_string(index));
  evaluation.size = std::to_string(1 << index);
  evaluation.weight = 1 << index;
  evaluation.bytes = 1e6 * (1 << index);
  evaluation.flops = 1e6;
  evaluation.group = "group of " + evaluation.case_name;
  evaluation.group_size = group_size;
  evaluation.origin = origin;
  evaluation.candidate = "hash of " + origin;
  evaluation.id = evaluation.case_name + " by " + origin;
  evaluation.backend = "cuda";
  evaluation.device = "Invented GPU";
  evaluation.verdict = Verdict::passed;
  evaluation.sandbox = "full";
  return evaluation;
}

inline SpeedupEstimate estimate(double value, double half_width = 0) {
  SpeedupEstimate speedup;
  speedup.value = value;
  speedup.low = value * (1 - half_width);
  speedup.high = value * (1 + half_width);
  speedup.rounds = 8;
  speedup.decided = half_width <= 0.01;
  speedup.verdict = !speedup.decided ? "undecided" : speedup.low > 1 ? "faster" : speedup.high < 1 ? "slower" : "same";
  return speedup;
}

// Adds a timing whose clock `clock` has the median `us`, and, for all but references, the speedup.
inline Evaluation timed(Evaluation evaluation, const std::string& clock, double us, double speedup, double half_width = 0.005) {
  if (!evaluation.timing) {
    evaluation.timing.emplace();
    evaluation.timing->protocol = clock == "batch" ? "paper" : "strict";
    evaluation.timing->null_kernel_us = 1;
  }
  evaluation.timing->clocks[clock] = {{us, us}, us};
  if (evaluation.origin != "reference") {
    evaluation.timing->speedups[clock] = estimate(speedup, half_width);
  }
  return evaluation;
}

inline Evaluation failed(Evaluation evaluation, Verdict verdict, const std::string& detail) {
  evaluation.verdict = verdict;
  evaluation.detail = detail;
  return evaluation;
}

// `count` evaluations of one case by as many origins.
inline std::vector<Evaluation> group(const std::string& task, int index, int count) {
  std::vector<Evaluation> list;
  for (int i = 0; i < count; ++i) {
    list.push_back(passed(task, index, i == 0 ? "reference" : std::string("file:").append(std::to_string(i)), count));
  }
  return list;
}

}  // namespace mskb::samples
