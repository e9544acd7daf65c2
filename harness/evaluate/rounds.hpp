#pragma once
#include <set>
#include <vector>

#include "evaluate/clock_check.hpp"
#include "evaluate/clock_watch.hpp"
#include "evaluate/null_kernel.hpp"
#include "evaluate/verification.hpp"

namespace mskb {

// One seat's calls of one turn that count.
using Turn = std::vector<wire::Called>;

// One seat's figures, one a round (the median of its turn).
struct SeatRounds {
  std::vector<double> span, busy, lead, tail;  // from the half with activity recording on
  std::vector<double> call;                    // from the half with it off
};

// The rounds of one case. In a round every worker has two turns: all in random order, then in the reverse order, activity recording on in one
// half and off in the other. A turn begins with a call that does not count and brings the worker back to a steady state; every step has contents that its process has not seen, fresh poison and a flushed cache, and every timed output is checked. Waiting
// workers are frozen. After every four rounds that count the seats' other processes go on.
class Rounds {
 public:
  static constexpr int rounds_per_generation = 4;

  Rounds(Bench& bench, std::vector<CaseState>& states, const RunKey& key);

  // Runs one; false: it does not count, because the device was throttled, and left no figures.
  bool run();
  // After the last round: a candidate whose times the harness's own clock contradicts, or whose processes have mapped code meanwhile that its
  // origin does not allow, falls out with a violation.
  void check_testimony();
  bool active(std::size_t seat) const;
  // A seat whose figures suffice takes part in no further round. It stays active, and its figures are of the rounds until then.
  void rest(std::size_t seat) { resting_.insert(seat); }
  bool resting(std::size_t seat) const { return resting_.contains(seat); }
  bool reference_active() const { return active(0); }
  const NullKernels& null_kernels() const { return null_kernels_; }
  const ClockWatch& clock() const { return clock_; }
  SeatRounds of(std::size_t seat) const;
  double measuring_s() const { return measuring_us_ * 1e-6; }

 private:
  void fall_out(std::size_t seat, Observation observation);
  void half(int number, int which, const std::vector<std::size_t>& order, bool recording);
  void turn(std::size_t seat, std::uint64_t contents, bool recording);
  // One step of a turn; false when the seat has failed and falls out.
  bool step(std::size_t seat, StepRequest request, Turn& turn);

  Bench& bench_;
  std::vector<CaseState>& states_;
  const RunKey& key_;
  std::vector<std::size_t> active_;
  std::set<std::size_t> resting_;
  std::vector<std::vector<Turn>> recorded_, unrecorded_;  // by seat, by round
  std::vector<ClockTestimony> testimonies_;               // by seat
  NullKernels null_kernels_;
  ClockWatch clock_;
  int begun_ = 0, counted_ = 0, generation_ = 0;  // rounds; of processes
  double measuring_us_ = 0;
};

}  // namespace mskb
