#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "worker/cuda/activity_recorder.hpp"
#include "worker/cuda/arena_mapping.hpp"
#include "worker/launch_inventory.hpp"
#include "worker/runner.hpp"

namespace mskb::worker {

// Candidates on one device, whose context exists from the start.
class CudaRunner final : public Runner {
 public:
  explicit CudaRunner(int device);  // throws std::runtime_error when the device cannot be used

  wire::WorkerReady introduce() override;
  std::byte* map(UniqueFd arena, std::uint64_t bytes) override;
  wire::Called call(const wire::Call& request, const Invocation& invocation) override;
  const std::vector<wire::LaunchEntry>& launches() const override { return inventory_.entries(); }
  bool lost() const override { return lost_; }

 private:
  Returned call_once(const wire::Call& request, const Invocation& invocation, wire::Called& called);
  Returned call_batch(const wire::Call& request, const Invocation& invocation, wire::Called& called);
  cudaError_t run_prologue(const wire::Call& request, const Invocation& invocation) const;
  void fail(Returned& returned, cudaError_t launched, cudaError_t synchronized);

  int device_;
  std::unique_ptr<ArenaMapping> arena_;
  LaunchInventory inventory_;
  std::string note_;
  std::vector<std::byte> zeros_;  // the source of Prologue::copy_zero
  cudaEvent_t start_ = nullptr, stop_ = nullptr, idle_ = nullptr;
  bool lost_ = false, delay_measured_ = false;
};

}  // namespace mskb::worker
