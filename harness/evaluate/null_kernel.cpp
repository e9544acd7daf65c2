#include "evaluate/null_kernel.hpp"

#include <algorithm>

#include "evaluate/statistics.hpp"

namespace mskb {

void NullKernel::add(const wire::Called& called) {
  span_.push_back(called.span_us);
  lead_.push_back(called.lead_us);
  tail_.push_back(called.tail_us);
}

double NullKernel::span_us() const { return median(span_); }

double NullKernel::span_us(const wire::Called& called) const {
  return called.span_us + std::max(0.0, called.lead_us - median(lead_)) + std::max(0.0, called.tail_us - median(tail_));
}

}  // namespace mskb
