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
  // Everything that ended since `begin`, a time of now(), by start; call it when the device is idle. What came late from before is dropped.
  // Kernels after the earliest `first` records are added to `launches`.
  std::vector<Activity> collect(std::uint64_t begin, std::size_t first, LaunchInventory& launches);

 private:
  bool available_ = false, recording_ = false;
  std::string refusal_;
};

}  // namespace mskb::worker
