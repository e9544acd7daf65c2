#include "worker/launch_inventory.hpp"

#include <algorithm>
#include <cstring>

namespace mskb::worker {

namespace {

bool same(const wire::LaunchEntry& a, const wire::LaunchEntry& b) {
  return std::strcmp(a.kernel, b.kernel) == 0 && std::equal(a.grid, a.grid + 3, b.grid) && std::equal(a.block, a.block + 3, b.block) &&
         a.registers == b.registers && a.static_shared == b.static_shared && a.dynamic_shared == b.dynamic_shared;
}

}  // namespace

void LaunchInventory::add(const wire::LaunchEntry& launch) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const wire::LaunchEntry& entry) { return same(entry, launch); });
  if (found != entries_.end()) {
    ++found->count;
    return;
  }
  entries_.push_back(launch);
  entries_.back().count = 1;
}

}  // namespace mskb::worker
