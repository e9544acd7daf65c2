#pragma once
#include <string>

#include "base/files.hpp"
#include "profile/kernel_profile.hpp"
#include "profile/raw_page.hpp"

namespace mskb::test {

// A raw page of tests/profile/fixtures.
inline std::string raw_page(const std::string& name) {
  return read_file(std::string(MSKB_SOURCE_DIR "/tests/profile/fixtures/") + name + ".csv");
}

// The profile of a call whose every launch is on the page, with counters.
inline Profile profile_of(const std::string& name) {
  const std::vector<LaunchProfile> launches = parse_raw_page(raw_page(name));
  Profile profile{"task/fp32/paper/4", "0123456789abcdef", "reference", "NVIDIA H200", "ncu 2025.3.1.0", "limits", kernels_by_time(launches)};
  for (KernelProfile& kernel : profile.kernels) {
    kernel.counters = launches.at(kernel.longest_launch);
  }
  return profile;
}

}  // namespace mskb::test
