#pragma once
#include <vector>

#include "wire/worker_messages.hpp"

namespace mskb::worker {

// Launches in order of first appearance; equal ones are counted together.
class LaunchInventory {
 public:
  void clear() { entries_.clear(); }
  void add(const wire::LaunchEntry& launch);  // its count is ignored
  const std::vector<wire::LaunchEntry>& entries() const { return entries_; }

 private:
  std::vector<wire::LaunchEntry> entries_;
};

}  // namespace mskb::worker
