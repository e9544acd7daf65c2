#pragma once
#include <fmt/format.h>

#include <string>

#include "base/errors.hpp"
#include "cli/options.hpp"

namespace mskb::cli {

// Seconds from --session-time. Throws InputError.
inline double parse_session_time(const std::string& text) {
  constexpr double least_s = 1;
  const double seconds = parse_duration(text, "--session-time");
  if (seconds < least_s) {
    throw InputError(fmt::format("--session-time {}: too short for a session; give {:g}s or more", text, least_s));
  }
  return seconds;
}

}  // namespace mskb::cli
