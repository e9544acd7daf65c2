#pragma once
#include <string>
#include <vector>

#include "wire/worker_messages.hpp"

namespace mskb {

// What a worker said of its counted calls of one case beside what the harness's own clock saw of them; microseconds, one figure a call.
struct ClockTestimony {
  std::vector<double> call;    // as reported, of calls without recording
  std::vector<double> around;  // from the request to the answer, less the reported call
  std::vector<double> window;  // lead, span and tail, of calls with recording

  void add(wire::Clock clock, const wire::Called& called, double go_to_done_us);
};

// Why these times cannot be true, by those of a worker that nobody doubts; empty when nothing speaks against them. What lies around a call is the same
// work in every worker, and recording makes no call shorter. By their medians: answers may come later by 0.1 ms, twice the scatter of the undoubted
// worker's (what lies between their quartiles) and a twentieth of the call, recorded calls be shorter by 0.05 ms and a twentieth, so that times of short calls
// are not verified.
std::string contradiction(const ClockTestimony& own, const ClockTestimony& undoubted);

}  // namespace mskb
