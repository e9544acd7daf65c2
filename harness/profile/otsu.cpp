#include "profile/otsu.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mskb {

std::optional<double> otsu_bin(std::span<const double> counts) {
  double total = 0, moment = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    total += counts[i];
    moment += static_cast<double>(i) * counts[i];
  }
  double below = 0, moment_below = 0, best = -1;
  std::size_t first = 0, last = 0;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    below += counts[i - 1];
    moment_below += static_cast<double>(i - 1) * counts[i - 1];
    if (below <= 0 || below >= total) {
      continue;
    }
    const double distance = (moment - moment_below) / (total - below) - moment_below / below;
    const double between = below * (total - below) * distance * distance;
    if (between > best * (1 + 1e-12)) {
      best = between;
      first = i;
    }
    if (between >= best * (1 - 1e-12)) {
      last = i;
    }
  }
  return best > 0 ? std::optional((static_cast<double>(first) + static_cast<double>(last)) / 2) : std::nullopt;
}

std::optional<double> otsu_threshold(std::span<const double> values) {
  std::array<double, 100> counts{};
  for (const double value : values) {
    ++counts[static_cast<std::size_t>(std::clamp(std::floor(value), 0.0, 99.0))];
  }
  return otsu_bin(counts);
}

}  // namespace mskb
