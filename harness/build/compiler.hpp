#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "model/backend.hpp"
#include "model/verdict.hpp"

namespace mskb {

// cuda: the path of nvcc, by PATH, $CUDA_HOME and /usr/local/cuda; cpu: g++. Empty when there is none.
std::string find_compiler(Backend backend);

// One line: "nvcc 13.0.88 with g++ ...". Empty when the program cannot be run. Asked once per process and program.
std::string compiler_version(const std::string& program, Backend backend);

struct CompilerRun {
  Verdict verdict = Verdict::passed;  // passed, build_failed, timed_out
  std::string detail;                 // one line; empty when passed
  std::string output;                 // stdout, then stderr, raw
  std::string log;                    // command, exit code, stdout and stderr
  bool repeatable = true;             // false: a time-out, or killed from outside
  double seconds = 0;
};

// Runs argv in `directory` with limits on time, memory and file size. Throws HarnessError when the disk is full.
CompilerRun run_compiler(const std::vector<std::string>& argv, const std::filesystem::path& directory,
                         std::chrono::milliseconds time_limit);

}  // namespace mskb
