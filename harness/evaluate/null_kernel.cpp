#include "evaluate/null_kernel.hpp"

#include <algorithm>

#include "evaluate/statistics.hpp"

namespace mskb {

namespace {

constexpr double most_above_us = 2;

double limited(const std::vector<wire::Called>& of_turn, double wire::Called::*part, const std::vector<double>& of_case) {
  std::vector<double> values;
  for (const wire::Called& called : of_turn) {
    values.push_back(called.*part);
  }
  return std::min(median(std::move(values)), median(of_case) + most_above_us);
}

}  // namespace

double span_us(const wire::Called& called, const HostOverhead& null_kernel) {
  return called.span_us + std::max(0.0, called.lead_us - null_kernel.lead_us) + std::max(0.0, called.tail_us - null_kernel.tail_us);
}

void NullKernels::add(const wire::Called& called) {
  span_.push_back(called.span_us);
  lead_.push_back(called.lead_us);
  tail_.push_back(called.tail_us);
}

double NullKernels::span_us() const { return median(span_); }

HostOverhead NullKernels::overhead(const std::vector<wire::Called>& of_turn) const {
  return {limited(of_turn, &wire::Called::lead_us, lead_), limited(of_turn, &wire::Called::tail_us, tail_)};
}

}  // namespace mskb
