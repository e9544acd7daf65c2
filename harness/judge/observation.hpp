#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "wire/keeper_messages.hpp"

namespace mskb {

// What was seen of one step: how the candidate's call ended and, when it came back, what the keeper found.
struct Observation {
  enum class End {
    answered,       // the call returned and the device was idle; `findings` are there
    launch_failed,  // a CUDA call or launch reported an error
    context_lost,   // one after which the process could not use the device any more
    threw,          // the entry point threw
    unsupported,    // a baseline says that its library cannot do this
    fault,          // the CPU backend's report: divergent barrier, deadlock, shared memory overrun, ...
    died,           // the process ended
    timed_out,      // it passed the time limit and was killed
    unloadable,     // its shared object could not be loaded
    never_loaded,   // loading it passed the time limit and was killed
    violation,      // it loaded what its origin does not allow
  };
  End end = End::answered;
  std::string text;                       // the error's own words, one line
  std::optional<wire::Findings> findings;

  // The process that ran the candidate has gone, or will not serve it in another try either.
  bool lost_worker() const {
    return end == End::context_lost || end == End::died || end == End::timed_out || end == End::unloadable || end == End::never_loaded ||
           end == End::violation;
  }
};

}  // namespace mskb
