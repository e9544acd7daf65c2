#pragma once
#include <string>
#include <vector>

#include "mskb/optimizer.hpp"

// The times of an optimizer's rounds side by side, in words for a prompt.
namespace mskb::agents {

struct TimedVersion {
  std::string name;                         // of its column
  const optimizer::Report* report = nullptr;
};

// A row per case that was timed, with the original and each version: median in us, speedup with its interval, and whether it differs from
// the version before it. What a speedup and the score are stands below it. `original` may be absent. Nothing is compared with itself: the
// original has times only.
std::string times_table(const optimizer::Report* original, const std::vector<TimedVersion>& versions, const std::string& clock);

// The weighted mean speedup, with the same mean of the intervals' ends where there are intervals; empty where there are no times.
std::string score_text(const optimizer::Report& report, const std::string& clock);

// One sentence: the scores of a version that came out lower and of the better one, and at how many sizes the intervals are apart.
std::string lost_text(const optimizer::Report& lower, const optimizer::Report& better, const std::string& clock);

}  // namespace mskb::agents
