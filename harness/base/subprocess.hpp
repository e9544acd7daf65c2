#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace mskb {

struct SubprocessOptions {
  std::chrono::milliseconds time_limit{60000};
  std::size_t output_limit = 1 << 20;  // bytes kept of stdout and of stderr each; the rest is read and dropped
  std::filesystem::path directory;     // working directory; empty: the caller's
};

struct SubprocessResult {
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  bool timed_out = false;
  bool output_cut = false;
  std::string output;  // stdout
  std::string errors;  // stderr

  bool ok() const { return exit_code == 0 && !timed_out; }
};

// Runs argv[0] (found on PATH) in its own process group and waits. At the time limit the whole group is killed.
// Throws HarnessError when the program cannot be started at all.
SubprocessResult run_subprocess(const std::vector<std::string>& argv, const SubprocessOptions& options = {});

// Whether a program of that name is on PATH, or at that path; a folder is none.
bool program_exists(const std::string& name);

}  // namespace mskb
