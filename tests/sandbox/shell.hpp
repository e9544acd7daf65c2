#pragma once
#include <chrono>
#include <string>

#include "sandbox/process.hpp"

namespace mskb {

// A shell script in a sandbox, with no socket.
inline SandboxedProcess shell(const std::string& script, SandboxLevel level) {
  return SandboxedProcess("/bin/sh", {"-c", script}, UniqueFd(), level);
}

inline constexpr std::chrono::seconds plenty{60};

}  // namespace mskb
