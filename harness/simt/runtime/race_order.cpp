#include "simt/runtime/race_order.hpp"

#include <algorithm>

namespace mskb::simt::races {

void remember(Word& word, const Access& access) {
  const bool writes = access.kind != Kind::read && access.kind != Kind::volatile_read;
  Access* place = nullptr;
  for (Access& old : word) {
    if (writes && (old.mask & access.mask) != 0) old.mask &= static_cast<std::uint8_t>(~access.mask);
    if (old.mask == 0) old.kind = Kind::none;
    const bool same = old.kind == access.kind && old.thread == access.thread && old.block == access.block && old.mask == access.mask;
    if (same) place = &old;
  }
  const auto find = [&](Kind kind) {
    for (Access& old : word) {
      if (place == nullptr && old.kind == kind) place = &old;
    }
  };
  find(Kind::none);
  find(Kind::read);
  find(Kind::volatile_read);
  if (place != nullptr) {
    *place = access;
  } else if (writes) {
    word[access.pc == nullptr ? 0 : access.thread % word.size()] = access;
  }
}

void Order::begin_launch() {
  block_ = 0;
  releases_.clear();
  acquired_.clear();
}

void Order::begin_block(int threads) {
  ++block_;
  phase_ = 0;
  acquired_.clear();
  for (int thread = 0; thread < threads; ++thread) {
    clocks_[static_cast<std::size_t>(thread)] = {};
    clock_of(thread) = 1;
  }
}

void Order::lanes_met(int warp, unsigned lanes) {
  std::array<std::uint32_t, 32> known{};
  const auto each = [&](auto&& act) {
    for (int lane = 0; lane < 32; ++lane) {
      if ((lanes >> lane & 1) != 0) act(warp * 32 + lane);
    }
  };
  each([&](int thread) {
    for (std::size_t lane = 0; lane < 32; ++lane) known[lane] = std::max(known[lane], clocks_[static_cast<std::size_t>(thread)][lane]);
  });
  each([&](int thread) {
    clocks_[static_cast<std::size_t>(thread)] = known;
    ++clock_of(thread);
  });
}

Access Order::stamp(int thread, Kind kind, const void* pc) const {
  return {pc, block_, phase_, clock_of(thread), static_cast<std::uint16_t>(thread), 0, kind};
}

bool Order::within_block(std::uint32_t phase, std::uint32_t clock, int thread, int now) const {
  return thread == now || phase < phase_ ||
         (thread / 32 == now / 32 && clocks_[static_cast<std::size_t>(now)][static_cast<std::size_t>(thread % 32)] >= clock);
}

bool Order::before_now(const Access& access, int thread) const {
  if (access.block == block_ && within_block(access.phase, access.clock, access.thread, thread)) return true;
  const auto earlier = [](const Release& release, std::uint32_t block) { return release.block < block; };
  for (const Acquired& acquired : acquired_) {
    if (!within_block(acquired.phase, acquired.clock, acquired.thread, thread)) continue;
    const auto begin = acquired.releases->begin(), end = begin + static_cast<std::ptrdiff_t>(std::min(acquired.count, acquired.releases->size()));
    // Blocks run in order, and so their releases lie.
    for (auto release = std::lower_bound(begin, end, access.block, earlier); release != end && release->block == access.block; ++release) {
      if (access.phase < release->phase || (access.thread == release->thread && access.clock <= release->clock)) return true;
    }
  }
  return false;
}

void Order::acquire(std::uintptr_t place, int thread) {
  const auto found = releases_.find(place);
  if (found == releases_.end()) return;
  acquired_.push_back({&found->second, found->second.size(), phase_, clock_of(thread), static_cast<std::uint16_t>(thread)});
  ++clock_of(thread);
}

void Order::release(std::uintptr_t place, int thread) {
  std::vector<Release>& releases = releases_[place];
  const Release own{block_, phase_, clock_of(thread), static_cast<std::uint16_t>(thread)};
  ++clock_of(thread);
  if (!releases.empty() && releases.back().block == block_ && releases.back().thread == own.thread) {
    releases.back() = own;
  } else {
    releases.push_back(own);
  }
}

}  // namespace mskb::simt::races
