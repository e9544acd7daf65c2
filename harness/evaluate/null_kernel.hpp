#pragma once
#include <vector>

#include "wire/worker_messages.hpp"

namespace mskb {

// What a kernel that does nothing costs in a step: its device time, and the host's time before and after it that any call has. Gathered over all
// turns of all workers of a case: workers that get different values would be given different subtractions.
class NullKernel {
 public:
  void add(const wire::Called& called);
  double span_us() const;

  // The clock `span` of a call: device activity, and what the host added before and after it beyond a null kernel's, so that host work is not
  // free. The only subtraction anywhere.
  double span_us(const wire::Called& called) const;

 private:
  std::vector<double> span_, lead_, tail_;
};

}  // namespace mskb
