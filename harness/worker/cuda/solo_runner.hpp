#pragma once
#include <memory>
#include <string>

#include "worker/cuda/arena_mapping.hpp"
#include "worker/runner.hpp"

namespace mskb::worker {

// Calls a candidate on memory of this process, one cudaMalloc of the exact size for each buffer: the tools that watch a process's memory
// (compute-sanitizer) cannot see into a keeper's arena. Outputs are not initialized; everything is copied back into the arena for the keeper's
// check. Nothing is timed or recorded.
class SoloRunner final : public Runner {
 public:
  explicit SoloRunner(int device);  // throws std::runtime_error when the device cannot be used

  wire::WorkerReady introduce() override { return {}; }
  std::byte* map(UniqueFd arena, std::uint64_t bytes) override;
  wire::Called call(const wire::Call& request, const Invocation& invocation) override;
  const std::vector<wire::LaunchEntry>& launches() const override { return none_; }
  bool lost() const override { return lost_; }

 private:
  int device_;
  std::unique_ptr<ArenaMapping> arena_;
  std::vector<wire::LaunchEntry> none_;
  bool lost_ = false;
};

}  // namespace mskb::worker
