#pragma once
#include "worker/launch_inventory.hpp"
#include "worker/runner.hpp"

namespace mskb::worker {

// Candidates over the simt run-time, in an arena that is a memfd. Gives verdicts: `call_us` is the host's clock, the device's clocks stay 0,
// and Clock::batch calls once.
class CpuRunner final : public Runner {
 public:
  ~CpuRunner() override;

  wire::WorkerReady introduce() override;
  std::byte* map(UniqueFd arena, std::uint64_t bytes) override;
  wire::Called call(const wire::Call& request, const Invocation& invocation) override;
  const std::vector<wire::LaunchEntry>& launches() const override { return inventory_.entries(); }

 private:
  void unmap();

  std::byte* arena_ = nullptr;
  std::uint64_t bytes_ = 0;
  LaunchInventory inventory_;
};

}  // namespace mskb::worker
