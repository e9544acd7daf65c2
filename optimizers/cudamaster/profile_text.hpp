#pragma once
#include <string>

namespace mskb::cudamaster {

// The harness's profile as a prompt shows it: its part `filtered` or `full` where it has both, else all of it.
std::string shown_profile(const std::string& profile, bool full);

}  // namespace mskb::cudamaster
