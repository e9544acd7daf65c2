#pragma once
#include <string>

#include "report/format.hpp"
#include "store/run_reader.hpp"

namespace mskb {

struct CompareOptions {
  bool any_device = false;  // compare runs of different devices or protocols all the same
};

// Two runs, problem by problem, where the same origin stands in both: the ratio of P (b over a), the geometric mean of the device times' ratios (a over
// b, so that more than 1 is faster in b), and how many cases b wins (its interval lies above a's), loses, or leaves undecided. Each P compares with
// its own run's reference; times of two runs were not measured side by side, so they get no interval. Runs of the CPU backend are compared by
// verdict. Throws InputError for runs of different devices, backends or protocols unless asked, and for runs that share nothing.
std::string render_comparison(const StoredRun& a, const StoredRun& b, Format format, const CompareOptions& options = {});

}  // namespace mskb
