// Which accesses of a launch are ordered before what the running thread does now.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/runtime/race_shadow.hpp"

namespace mskb::simt::races {

class Order {
 public:
  void begin_launch();
  void begin_block(int threads);
  void barrier_passed() { ++phase_; }
  void lanes_met(int warp, unsigned lanes);

  // What an access of this thread carries now.
  Access stamp(int thread, Kind kind, const void* pc) const;
  bool before_now(const Access& access, int thread) const;

  // An atomic or volatile access: it takes over what was released at its place, and releases what its thread did.
  void acquire(std::uintptr_t place, int thread);
  void release(std::uintptr_t place, int thread);

 private:
  struct Release {
    std::uint32_t block, phase, clock;
    std::uint16_t thread;
  };
  struct Acquired {
    const std::vector<Release>* releases;
    std::size_t count;  // those that were there
    std::uint32_t phase, clock;
    std::uint16_t thread;
  };
  std::uint32_t& clock_of(int thread) { return clocks_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(thread % 32)]; }
  std::uint32_t clock_of(int thread) const { return clocks_[static_cast<std::size_t>(thread)][static_cast<std::size_t>(thread % 32)]; }
  bool within_block(std::uint32_t phase, std::uint32_t clock, int thread, int now) const;

  std::uint32_t block_ = 0, phase_ = 0;
  std::array<std::array<std::uint32_t, 32>, 1024> clocks_{};  // by thread: what it knows of the lanes of its warp
  std::unordered_map<std::uintptr_t, std::vector<Release>> releases_;
  std::vector<Acquired> acquired_;  // by threads of the running block
};

}  // namespace mskb::simt::races
