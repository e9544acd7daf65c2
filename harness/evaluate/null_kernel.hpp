#pragma once
#include <vector>

#include "wire/worker_messages.hpp"

namespace mskb {

// What the host needs before and after the device's work of any call, from a kernel that does nothing in the same worker and turn: a worker's
// state (its core, its clock, what its caches hold) differs from turn to turn, and calls and null kernels of a turn share it.
struct HostOverhead {
  double lead_us = 0, tail_us = 0;
};

// The clock `span` of a call: device activity, and what the host added before and after it beyond a null kernel's, so that host work is not
// free. The only subtraction anywhere.
double span_us(const wire::Called& called, const HostOverhead& null_kernel);

// The null kernels of all turns of a case.
class NullKernels {
 public:
  void add(const wire::Called& called);
  double span_us() const;  // median

  // The median of one turn's null kernels, but at most 2 us above the median of the whole case: a worker that delays its null kernels gains
  // nothing by it.
  HostOverhead overhead(const std::vector<wire::Called>& of_turn) const;

 private:
  std::vector<double> span_, lead_, tail_;
};

}  // namespace mskb
