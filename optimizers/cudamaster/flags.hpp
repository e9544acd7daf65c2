#pragma once
#include <string>
#include <vector>

namespace mskb::cudamaster {

// Flags that the harness accepts of a candidate, forty at most, and those that are left out: forty at most of these too, long ones cut.
struct FlagChoice {
  std::vector<std::string> accepted, refused;
};

FlagChoice choose_flags(const std::vector<std::string>& wanted);

// As one line; "none" where there are none.
std::string flags_text(const std::vector<std::string>& flags);

// The harness's allow-list, in words for the prompt.
std::string allowed_flags_text();

}  // namespace mskb::cudamaster
