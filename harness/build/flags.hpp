#pragma once
#include <string>
#include <vector>

#include "model/backend.hpp"

namespace mskb {

// A candidate's own flags as the compiler of one backend takes them.
struct CompilerFlags {
  std::vector<std::string> used;
  std::vector<std::string> ignored;  // cpu: those that only nvcc knows
  bool optimization = false;         // one of `used` is an -O
};

CompilerFlags flags_for(Backend backend, const std::vector<std::string>& flags);

}  // namespace mskb
