#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "model/backend.hpp"
#include "model/verdict.hpp"
#include "sandbox/process.hpp"

namespace mskb {

// cuda: the path of nvcc, by PATH, $CUDA_HOME and /usr/local/cuda; cpu: g++. Empty when there is none.
std::string find_compiler(Backend backend);

// One line: "nvcc 13.0.88 with g++ ...". Empty when the program cannot be run. Asked once per process and program.
std::string compiler_version(const std::string& program, Backend backend);

struct CompilerRun {
  Verdict verdict = Verdict::passed;  // passed, build_failed, timed_out
  std::string detail;                 // one line; empty when passed
  std::string output;                 // stdout and stderr, raw, at most 2 MiB
  std::string log;                    // command, exit code, output
  bool repeatable = true;             // false: a time-out, killed from outside, or perhaps for want of processes
  double seconds = 0;
};

struct CompilerPlace {
  std::filesystem::path directory;               // where it runs
  SandboxLevel sandbox = SandboxLevel::none;     // full: it sees the system's programs and libraries, itself, and what is named here
  std::vector<std::filesystem::path> readable;
};

// Runs argv with limits on time, memory and file size. Throws HarnessError when the disk is full.
CompilerRun run_compiler(const std::vector<std::string>& argv, const CompilerPlace& place, std::chrono::milliseconds time_limit);

}  // namespace mskb
