#pragma once
#include <cstddef>
#include <optional>
#include <span>

namespace mskb {

// Otsu's method on a histogram: the first bin of the upper class, so that the variance between the two classes is largest; the middle one where
// several are as good. Nothing when all counts lie in one bin.
std::optional<double> otsu_bin(std::span<const double> counts);

// The same on values in [0, 100] over a histogram of 100 bins: the threshold, in the values' own unit. Values outside count in the outer bins.
std::optional<double> otsu_threshold(std::span<const double> values);

}  // namespace mskb
