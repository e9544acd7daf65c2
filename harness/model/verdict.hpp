#pragma once
#include <array>
#include <string_view>

namespace mskb {

// The closed list of outcomes of one case.
enum class Verdict {
  passed,
  build_failed,
  launch_failed,
  crashed,
  timed_out,
  incomplete,
  out_of_bounds,
  modified_input,
  mismatch,
  nondeterministic,
  implausible,
  violation,
  skipped,
};

struct VerdictInfo {
  Verdict verdict;
  std::string_view name;
  bool failure;  // whether it makes the problem incorrect; `skipped` does not, it makes it partial
  std::string_view meaning;
};

inline constexpr std::array verdicts{
    VerdictInfo{Verdict::passed, "passed", false, "every checked output of every call satisfied the acceptance"},
    VerdictInfo{Verdict::build_failed, "build_failed", true,
                "the compiler or linker refused it, its entry point is missing or has another type, or it was empty"},
    VerdictInfo{Verdict::launch_failed, "launch_failed", true,
                "a CUDA call or kernel launch reported an error, or the entry point threw"},
    VerdictInfo{Verdict::crashed, "crashed", true, "its process ended by a signal or left before it had answered"},
    VerdictInfo{Verdict::timed_out, "timed_out", true, "a build, loading it, or a call passed its time limit and was killed"},
    VerdictInfo{Verdict::incomplete, "incomplete", true,
                "an output element still held the poison written before the call, and the oracle refuses that value"},
    VerdictInfo{Verdict::out_of_bounds, "out_of_bounds", true, "a byte outside its buffers was changed"},
    VerdictInfo{Verdict::modified_input, "modified_input", true, "a buffer that is only an input was changed"},
    VerdictInfo{Verdict::mismatch, "mismatch", true, "an output element lies outside the acceptance"},
    VerdictInfo{Verdict::nondeterministic, "nondeterministic", true,
                "the same contents were accepted in some calls and refused in others"},
    VerdictInfo{Verdict::implausible, "implausible", true, "the time is below what the device's limits allow"},
    VerdictInfo{Verdict::violation, "violation", true,
                "it left the sandbox, or loaded a library that its origin does not allow"},
    VerdictInfo{Verdict::skipped, "skipped", false,
                "the case does not fit this device or backend, or there is none; the reason is recorded"},
};

constexpr const VerdictInfo& info(Verdict verdict) { return verdicts[static_cast<std::size_t>(verdict)]; }
constexpr std::string_view to_string(Verdict verdict) { return info(verdict).name; }

}  // namespace mskb
