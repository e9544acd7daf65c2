#include "worker/cpu/trouble.hpp"

#include "simt/include/mskb_simt/driver_types.h"
#include "simt/runtime.hpp"

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaDeviceSynchronize();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
}

namespace mskb::worker {

namespace {

std::string position(const char* what, const std::array<unsigned, 3>& at) {
  return std::string(what) + " (" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) + ")";
}

// "stencil.cu:12: barrier_divergence in kernel step, block (0,0,0), thread (1,0,0): ..."
std::string describe(const simt::Fault& fault) {
  std::string text;
  if (!fault.file.empty()) {
    const std::size_t folder = fault.file.rfind('/');
    text = fault.file.substr(folder == std::string::npos ? 0 : folder + 1);
    text += fault.line == 0 ? ": " : ":" + std::to_string(fault.line) + ": ";
  }
  text += simt::name(fault.kind);
  if (!fault.kernel.empty()) {
    text += " in kernel " + fault.kernel + ", " + position("block", fault.block) + ", " + position("thread", fault.thread);
  }
  text += ": " + fault.message;
  if (fault.times > 1) {
    text += " (" + std::to_string(fault.times) + " times)";
  }
  return text;
}

wire::CallStatus status_of(simt::FaultKind kind) {
  switch (kind) {
    case simt::FaultKind::unsupported:
      return wire::CallStatus::unsupported;
    case simt::FaultKind::launch_limit:
    case simt::FaultKind::shared_limit:
      return wire::CallStatus::launch_failed;
    default:
      return wire::CallStatus::fault;
  }
}

}  // namespace

Returned with_runtime_trouble(Returned returned) {
  cudaError_t error = cudaGetLastError();
  const cudaError_t synchronized = cudaDeviceSynchronize();
  if (error == cudaSuccess) {
    error = synchronized;
  }
  if (returned.status == wire::CallStatus::unsupported) {
    return returned;
  }
  const simt::Report report = simt::take_report();
  if (!report.faults.empty()) {
    const simt::Fault& first = report.faults.front();
    std::string text = describe(first);
    if (first.kind == simt::FaultKind::race && report.faults.size() > 1) {
      text += " (and " + std::to_string(report.faults.size() - 1) + " more)";
    }
    return {status_of(first.kind), std::move(text)};
  }
  if (returned.status == wire::CallStatus::ok && error != cudaSuccess) {
    return {wire::CallStatus::launch_failed,
            std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error) + ", left by the candidate's call"};
  }
  return returned;
}

}  // namespace mskb::worker
