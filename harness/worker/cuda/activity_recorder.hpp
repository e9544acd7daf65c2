#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "worker/spans.hpp"
#include "worker/launch_inventory.hpp"

namespace mskb::worker {

// CUPTI's activity records of kernels, copies and sets. One a process: CUPTI's callbacks carry no pointer of ours.
class ActivityRecorder {
 public:
  static ActivityRecorder& instance();

  // Registers with CUPTI, before the CUDA context exists. Empty when that worked, else why not.
  std::string open();
  bool available() const { return available_; }

  // Switches recording; cheap when nothing changes. False, with available() from then on false, when CUPTI refuses, as refusal() says.
  bool record(bool on);
  const std::string& refusal() const { return refusal_; }

  std::uint64_t now() const;  // nanoseconds of the clock that the records use
  void forget();              // what was recorded so far
  // Everything recorded since forget() but the earliest `first` records, by start; call it when the device is idle. Kernels are added to
  // `launches`.
  std::vector<Activity> collect(std::size_t first, LaunchInventory& launches);

 private:
  bool available_ = false, recording_ = false;
  std::string refusal_;
};

}  // namespace mskb::worker
