#pragma once
#include <vector>

#include "wire/worker_messages.hpp"

namespace mskb {

// Kernels that do nothing, one run just before every recorded call of all workers of a case: what any call costs on the host before and after the
// device's work. One value for the whole case: workers that got different ones would be given different subtractions.
class NullKernels {
 public:
  void add(const wire::Called& called);
  double span_us() const;  // device time, median

  // The clock `span` of a call: device activity, and what the host added around it beyond a null kernel, so that host work is not free. The only
  // subtraction anywhere. Lead and tail are taken together: the offset between the host's clock and the device's wanders and moves time from
  // one to the other.
  double span_us(const wire::Called& called) const;

 private:
  std::vector<double> span_, host_;
};

}  // namespace mskb
