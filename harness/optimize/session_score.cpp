#include "optimize/session_score.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mskb {

namespace {

// The clock that scores where several were read.
std::optional<double> speedup(const Json& timing) {
  if (!timing.is_object()) {
    return std::nullopt;
  }
  for (const char* clock : {"span", "batch", "call"}) {
    if (const auto found = timing.at("speedup").find(clock); found != timing.at("speedup").end()) {
      const Json& value = found->at("value");
      return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

void ScoreKeeper::add(const Json& evaluation) {
  ++evaluations_;
  if (evaluation.at("verdict") != "passed") {
    return;
  }
  ++passed_;
  std::map<std::string, Best> sums;
  for (const Json& each : evaluation.at("cases")) {
    if (const auto value = speedup(each.at("timing"))) {
      Best& sum = sums[each.at("set").get<std::string>()];
      const double weight = each.at("weight").get<double>();
      sum.weight += weight;
      sum.speedup += weight * *value;
    }
  }
  for (const auto& [set, sum] : sums) {
    if (sum.weight > 0) {
      Best& best = best_[set];
      best.weight = sum.weight;
      best.speedup = std::max(best.speedup, sum.speedup / sum.weight);
    }
  }
}

std::optional<double> ScoreKeeper::best() const {
  const auto found = std::max_element(best_.begin(), best_.end(),
                                      [](const auto& a, const auto& b) { return a.second.weight < b.second.weight; });
  return found == best_.end() ? std::nullopt : std::optional(found->second.speedup);
}

std::string ScoreKeeper::text() const {
  const auto score = best();
  return score ? fmt::format("best {:.2f}x, ", *score) : fmt::format("{} of {} passed, ", passed_, evaluations_);
}

}  // namespace mskb
