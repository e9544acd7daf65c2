#include "simt/runtime/faults.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "simt/runtime/errors.hpp"
#include "simt/runtime/launches.hpp"
#include "simt/runtime/scheduler.hpp"

namespace mskb::simt {
namespace {

// More than this many different places are counted, not kept.
constexpr std::size_t most_faults = 64;

Report report;

cudaError_t error_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::step_limit:
    case FaultKind::deadlock: return cudaErrorLaunchTimeout;
    case FaultKind::trap: return cudaErrorAssert;
    case FaultKind::shared_limit: return cudaErrorLaunchOutOfResources;
    case FaultKind::unsupported: return cudaErrorNotSupported;
    default: return cudaErrorLaunchFailure;
  }
}

}  // namespace

std::string_view name(FaultKind kind) {
  switch (kind) {
    case FaultKind::barrier_divergence: return "barrier_divergence";
    case FaultKind::deadlock: return "deadlock";
    case FaultKind::step_limit: return "step_limit";
    case FaultKind::inactive_lane: return "inactive_lane";
    case FaultKind::lane_not_in_mask: return "lane_not_in_mask";
    case FaultKind::shared_overflow: return "shared_overflow";
    case FaultKind::shared_limit: return "shared_limit";
    case FaultKind::global_overflow: return "global_overflow";
    case FaultKind::invalid_free: return "invalid_free";
    case FaultKind::copy_out_of_bounds: return "copy_out_of_bounds";
    case FaultKind::launch_limit: return "launch_limit";
    case FaultKind::trap: return "trap";
    case FaultKind::race: return "race";
    case FaultKind::unsupported: return "unsupported";
  }
  return "unknown";
}

void report_fault(FaultKind kind, FaultPlace place, std::string message, bool abandoned) {
  const std::string file = place.file ? place.file : "";
  const std::string kernel = current_kernel() ? current_kernel() : "";
  const auto known = std::find_if(report.faults.begin(), report.faults.end(), [&](const Fault& fault) {
    return fault.kind == kind && fault.line == place.line && fault.file == file && fault.kernel == kernel;
  });
  if (known != report.faults.end()) {
    ++known->times;
    known->abandoned |= abandoned;
    return;
  }
  if (report.faults.size() >= most_faults && !abandoned) return;
  Fault fault{kind, abandoned, file, place.line, kernel, {}, {}, std::move(message)};
  if (scheduler().in_kernel()) {
    fault.block = {blockIdx.x, blockIdx.y, blockIdx.z};
    fault.thread = {threadIdx.x, threadIdx.y, threadIdx.z};
  }
  report.faults.push_back(std::move(fault));
}

void abandon_launch(FaultKind kind, FaultPlace place, std::string message) {
  report_fault(kind, place, std::move(message), true);
  lose_context(error_of(kind));
  scheduler().give_up();
}

Report take_report() { return std::exchange(report, {}); }

void forget_faults() { report = {}; }

}  // namespace mskb::simt

using namespace mskb::simt;

extern "C" void mskb_simt_trap(const char* file, int line) {
  if (!scheduler().in_kernel()) std::abort();
  abandon_launch(FaultKind::trap, {file, line}, "__trap() was called");
}

// glibc's assert() ends here: in a kernel it gives the launch up, elsewhere it ends the process as usual.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  if (scheduler().in_kernel()) {
    abandon_launch(FaultKind::trap, {file, static_cast<int>(line)}, std::string("assertion failed: ") + expression);
  }
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}
