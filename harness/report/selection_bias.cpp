#include "report/selection_bias.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "report/figures.hpp"

namespace mskb {

namespace {

constexpr double most_believed = 1e9;  // a transcript may have been edited

}  // namespace

std::vector<SelectionBias> selection_biases(const Sessions& sessions, const std::vector<ProblemScore>& scores) {
  std::vector<SelectionBias> biases;
  for (const ProblemScore& score : scores) {
    const auto found = sessions.by_problem.find(score.problem());
    if (found == sessions.by_problem.end() || !score.is_success() || !(score.weighted_speedup > 0)) {
      continue;
    }
    const Session& session = found->second;
    if (session.submitted != score.candidate || score.origin == "reference" || session.clock != score.clock) {
      continue;
    }
    std::map<std::string, double> seen;  // P by candidate, the best where one was timed twice
    for (const SessionEvent& event : session.events) {
      if (const auto speedup = event.speedups.find(score.set);
          speedup != event.speedups.end() && speedup->second > 0 && speedup->second < most_believed) {
        double& best = seen[event.candidate];
        best = std::max(best, speedup->second);
      }
    }
    if (!seen.contains(session.submitted)) {
      continue;
    }
    SelectionBias bias{score.problem(), score.set, static_cast<int>(seen.size()), 0, score.weighted_speedup};
    for (const auto& [candidate, speedup] : seen) {
      bias.best_seen = std::max(bias.best_seen, speedup);
    }
    biases.push_back(bias);
  }
  return biases;
}

std::optional<double> mean_excess(const std::vector<SelectionBias>& biases) {
  if (biases.empty()) {
    return std::nullopt;
  }
  double logs = 0;
  for (const SelectionBias& bias : biases) {
    logs += std::log(bias.best_seen / bias.final);
  }
  return std::expm1(logs / static_cast<double>(biases.size()));
}

Grid selection_bias_grid(const std::vector<SelectionBias>& biases) {
  Grid grid({{"problem", false}, {"sizes", false}, {"versions", true}, {"best seen", true}, {"final", true}, {"excess", true}});
  for (const SelectionBias& bias : biases) {
    grid.row({bias.problem, bias.set, std::to_string(bias.versions), ratio_text(bias.best_seen), ratio_text(bias.final),
              fmt::format("{:+.1f}%", 100 * bias.excess())});
  }
  return grid;
}

}  // namespace mskb
