#include "evaluate/null_kernel.hpp"

#include <algorithm>

#include "evaluate/statistics.hpp"

namespace mskb {

namespace {
constexpr int null_steps = 9;
}

void measure_null_kernels(Bench& bench) {
  for (std::size_t i = 0; i < bench.seats().size(); ++i) {
    Seat& seat = bench.seats()[i];
    if (!seat.worker || seat.null_known || !seat.worker->activity_available()) {
      continue;
    }
    std::vector<double> spans, leads, tails;
    for (int step = 0; step < null_steps; ++step) {
      StepRequest request;
      request.contents = 0;
      request.salt = 1000 + static_cast<std::uint64_t>(step);
      request.clock = wire::Clock::span;
      request.flush = true;
      request.check = false;
      request.null_kernel = true;
      const StepResult result = bench.step(i, request);
      if (result.observation.end != Observation::End::answered) {
        break;
      }
      spans.push_back(result.called.span_us);
      leads.push_back(result.called.lead_us);
      tails.push_back(result.called.tail_us);
    }
    if (!spans.empty()) {
      seat.null_span_us = median(spans);
      seat.null_lead_us = median(leads);
      seat.null_tail_us = median(tails);
      seat.null_known = true;
    }
    seat.worker->freeze(true);
  }
}

double span_us(const Seat& seat, const wire::Called& called) {
  return called.span_us + std::max(0.0, called.lead_us - seat.null_lead_us) + std::max(0.0, called.tail_us - seat.null_tail_us);
}

}  // namespace mskb
