#pragma once
#include <string>
#include <vector>

#include "profile/raw_page.hpp"

namespace mskb {

// One kernel of a candidate's call: all its launches in time, and its longest one in counters.
struct KernelProfile {
  std::string kernel;             // demangled
  int launches = 0;
  double total_us = 0, longest_us = 0;
  std::size_t longest_launch = 0;  // place of that launch among all of the call
  double share = 0;               // of the call's time in kernels
  std::optional<LaunchProfile> counters;
  std::string reason;             // why there are none
};

struct Profile {
  std::string case_name, candidate, origin, device, tool, sandbox;
  std::vector<KernelProfile> kernels;  // the most time first
};

// The kernels of a call, from every launch of it in order. Throws InputError when a launch has no duration.
std::vector<KernelProfile> kernels_by_time(const std::vector<LaunchProfile>& launches);

}  // namespace mskb
