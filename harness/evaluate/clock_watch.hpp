#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace mskb {

// Watches the clock of the device over the rounds of one case: a round that began or ended more than 3 % below the highest clock seen in the
// case is throttled, is dropped and repeated; eight in a case at most, those after them are kept.
class ClockWatch {
 public:
  static constexpr int most_dropped = 8;

  // Measures the clock, in MHz; 0: it has none, and every round counts.
  explicit ClockWatch(std::function<double()> measure) : measure_(std::move(measure)) {}

  // Until three measurements in a row lie within 1 % of each other; forty at most.
  void settle();
  // After a round: whether it counts. Settles again where it does not.
  bool round_counts();

  double median_mhz() const;  // after the rounds that count; 0 without a clock
  int dropped() const { return dropped_; }
  bool unsteady() const { return unsteady_; }  // throttled rounds are among those that count

 private:
  double measure();

  std::function<double()> measure_;
  double latest_ = 0, highest_ = 0;
  std::vector<double> kept_;
  int dropped_ = 0;
  bool unsteady_ = false;
};

}  // namespace mskb
