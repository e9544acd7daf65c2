#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/unique_fd.hpp"
#include "wire/invoke.hpp"
#include "wire/worker_messages.hpp"

namespace mskb::worker {

// What is to be called: a candidate's entry behind the shim, with pointers into the arena.
struct Invocation {
  mskb_invoke_function function = nullptr;
  void* buffers[wire::max_arguments] = {};
  double values[wire::max_arguments] = {};
};

// How one invocation returned.
struct Returned {
  wire::CallStatus status = wire::CallStatus::ok;  // ok, threw, unsupported
  std::string text;
};

// Calls once; an exception that leaves the candidate is caught.
Returned invoke(const Invocation& invocation);

// The backend's side of a worker: memory, clocks, what went wrong. A member that cannot do its work throws std::runtime_error, which becomes
// a WorkerFailure.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual wire::WorkerReady introduce() = 0;

  // Maps an arena in place of the one before; returns its address.
  virtual std::byte* map(UniqueFd arena, std::uint64_t bytes) = 0;

  virtual wire::Called call(const wire::Call& request, const Invocation& invocation) = 0;

  // The launches of the last recorded call, equal ones merged.
  virtual const std::vector<wire::LaunchEntry>& launches() const = 0;

  // The device context is lost: the process has to end after its answer.
  virtual bool lost() const { return false; }
};

}  // namespace mskb::worker
