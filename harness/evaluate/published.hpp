#pragma once
#include <optional>
#include <vector>

#include "evaluate/verification.hpp"

namespace mskb {

// Protocol `paper` on the open case: per seat, reference first, 3 untimed calls, then one event pair around 50 back-to-back calls on the same
// buffers with a warm cache and the published prologue inside. Driven by Google Benchmark with manual time: one iteration is one batch.
struct PublishedResult {
  std::vector<std::optional<Timing>> timings;
  double measuring_s = 0;
};
PublishedResult time_as_published(Bench& bench, std::vector<CaseState>& states);

}  // namespace mskb
