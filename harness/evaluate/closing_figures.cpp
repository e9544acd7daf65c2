#include "evaluate/closing_figures.hpp"

#include <fmt/format.h>

namespace mskb {

std::map<std::string, std::string> closing_figures(const std::vector<Evaluation>& evaluations) {
  int timed = 0, undecided = 0, no_verdict = 0;
  for (const Evaluation& evaluation : evaluations) {
    if (!evaluation.timing) {
      continue;
    }
    if (const SpeedupEstimate* speedup = evaluation.timing->cold_speedup()) {
      ++timed;
      undecided += speedup->decided ? 0 : 1;
      no_verdict += speedup->verdict == "undecided" ? 1 : 0;
    }
  }
  if (timed == 0) {
    return {};
  }
  return {{"timed_pairs", std::to_string(timed)},
          {"undecided_share", fmt::format("{:.4f}", static_cast<double>(undecided) / timed)},
          {"no_verdict_share", fmt::format("{:.4f}", static_cast<double>(no_verdict) / timed)}};
}

}  // namespace mskb
