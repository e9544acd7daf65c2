#pragma once
#include <map>
#include <string>
#include <vector>

namespace mskb {

inline constexpr int record_schema = 1;  // of run.yaml and evaluations.jsonl

// Where the figures were made. A record without device, driver and toolkit is refused.
struct Environment {
  std::string backend;          // cuda, cpu
  std::string device, uuid, compute_capability, driver, toolkit, runtime;
  int multiprocessors = 0;
  double l2_bytes = 0, memory_bytes = 0;
  double memory_bandwidth = 0;  // data sheet, bytes per second; 0 unknown
  double fp32_flops = 0;        // vector peak, flop per second; 0 unknown
  std::string host, kernel, compiler, cpu;
  int cores = 0;
};

// The head of a run: run.yaml beside evaluations.jsonl.
struct Run {
  std::string id;               // 12 hexadecimal digits, drawn once
  std::string started;          // UTC, ISO 8601
  std::string tool_version, tool_commit;
  std::vector<std::string> command;
  std::string protocol, sandbox;
  std::string key;              // of all contents; no worker ever sees it. A campaign's is drawn after the last submission and empty before
  Environment environment;
  std::map<std::string, std::string> figures;  // closing figures: share of wall time measuring, share undecided, self-tests;
                                               // "planned_problems": how many the run was asked for, known from the start
};

}  // namespace mskb
