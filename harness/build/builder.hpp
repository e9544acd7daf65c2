#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/backend.hpp"
#include "model/candidate.hpp"
#include "model/case.hpp"
#include "model/verdict.hpp"
#include "sandbox/process.hpp"

namespace mskb {

// In the detail of what is skipped because its source uses a feature of CUDA that the CPU backend lacks.
inline constexpr const char* lacking_on_cpu = ", which the CPU backend does not have";

struct BuildOptions {
  Backend backend = Backend::cpu;
  std::string architecture = "90a";              // cuda: compute capability of the device, with the `a` where it exists
  bool sanitize = false;                         // cpu: AddressSanitizer and UndefinedBehaviorSanitizer
  bool races = false;                            // cpu: for the worker that finds data races
  std::chrono::milliseconds time_limit{120000};  // per compiler run
  std::filesystem::path compiler;                // empty: nvcc or g++ as found on this machine
  SandboxLevel sandbox = strongest_sandbox();    // full: a candidate's compiler sees nothing but the system, its headers and the candidate
};

// What the compiler says of one kernel (ptxas -v).
struct KernelResources {
  std::string kernel;                                                                  // demangled
  int registers = 0, static_shared = 0, stack = 0, spill_stores = 0, spill_loads = 0;  // bytes but for registers

  bool operator==(const KernelResources&) const = default;
};

struct BuildResult {
  Verdict verdict = Verdict::passed;  // passed, build_failed, timed_out, skipped (a feature that the CPU backend lacks)
  std::string detail;                 // one line; empty when passed
  std::filesystem::path object;  // the shared object, in the cache; with the shim's mskb_invoke; empty unless passed
  std::filesystem::path log;     // command, exit code, stdout and stderr, as raw bytes
  std::vector<KernelResources> resources;
  double seconds = 0;  // of the compiler; 0 from the cache
  bool cached = false;
};

// Compiles candidates and task modules at run time, cached by content hash of sources, flags, compiler version and our
// headers. Failures are cached too, time-outs are not. Safe to use from several threads and several processes at once
// (an entry appears in the cache by rename).
class Builder {
 public:
  // home: holds harness/ and tasks/. cache: entries go to <cache>/builds.
  Builder(std::filesystem::path home, std::filesystem::path cache, BuildOptions options);

  // Throws InputError when the compiler itself is missing.
  void check_compiler() const;

  // A candidate's fault is a verdict. Throws InputError when the compiler itself is missing, HarnessError when the disk
  // is full.
  BuildResult candidate(const Problem& problem, const Candidate& candidate) const;

  // The task module from oracle.hpp (truth/module.hpp). Throws InputError with the compiler's first error when
  // oracle.hpp does not compile.
  std::filesystem::path task_module(const Problem& problem) const;

  // Compiler name and version, as it enters the cache key and the records; empty when there is no compiler.
  const std::string& compiler() const { return compiler_; }

 private:
  std::filesystem::path home_, cache_;
  BuildOptions options_;
  std::string program_, compiler_;
  // Content hashes of the headers of ours that each kind of build may include.
  std::string candidate_headers_, baseline_headers_, module_headers_;
};

// Why a flag is not one that a candidate may add; empty when all are.
std::optional<std::string> refused_flag(const std::vector<std::string>& flags);

// Flags that a candidate may add. Throws InputError naming the flag otherwise.
void require_allowed_flags(const std::vector<std::string>& flags);

}  // namespace mskb
