#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "model/backend.hpp"
#include "evaluate/evaluator.hpp"
#include "model/candidate.hpp"
#include "model/case.hpp"
#include "profile/kernel_profile.hpp"
#include "sandbox/process.hpp"

namespace mskb {

struct ProfilerOptions {
  std::filesystem::path home, cache;
  Backend backend = Backend::cuda;
  int device = 0;
  SandboxLevel sandbox = SandboxLevel::limits;  // of the profiled process; `full` would keep the report from us
  std::chrono::milliseconds time_limit{120000};  // of each run of the profiler
  int kernels = 8;                              // of a call's kernels as many are profiled, those of the most time
  bool needs_counters = true;                   // false: on a backend without counters as well
  // The text of each report as it was imported: "launches" or "kernel-<n>".
  std::function<void(const std::string& name, const std::string& csv)> report = [](const std::string&, const std::string&) {};
};

// The same home, cache, backend and device; the profiled process has the sandbox level `limits`, or `none` where the evaluator's has none.
ProfilerOptions profiler_options(const EvaluatorOptions& evaluator);

// A profile, or in one line why there is none.
struct ProfileOutcome {
  std::optional<Profile> profile;
  std::string reason;
};

// Profiles one call of a candidate that has passed: runs it in a process of its own under ncu, on memory of its own and contents drawn for this
// profile, once for the durations of all launches and once for the counters of each kernel's longest launch. What keeps it from that is the
// outcome's reason. Throws InputError when the candidate cannot be profiled for a reason of wrong use.
ProfileOutcome profile_candidate(const ProfilerOptions& options, const Case& test_case, const Candidate& candidate);

}  // namespace mskb
