#include "evaluate/null_kernel.hpp"

#include <algorithm>

#include "evaluate/statistics.hpp"

namespace mskb {

void NullKernels::add(const wire::Called& called) {
  span_.push_back(called.null_span_us);
  host_.push_back(called.null_host_us);
}

double NullKernels::span_us() const { return median(span_); }

double NullKernels::span_us(const wire::Called& called) const {
  return called.span_us + std::max(0.0, called.lead_us + called.tail_us - median(host_));
}

}  // namespace mskb
