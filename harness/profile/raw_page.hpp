#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mskb {

// One metric of one launch as the profiler printed it.
struct Metric {
  std::optional<double> value;  // nothing where the cell holds no number
  std::string unit;             // of the cell, else of the column; empty: none
  std::string text;             // the cell, where it holds no number
};

// One profiled launch.
struct LaunchProfile {
  std::string kernel;           // demangled
  std::string grid, block;      // "(24, 64, 1)"
  std::string compute_capability;
  std::map<std::string, Metric> metrics;  // by the profiler's own name

  // gpu__time_duration.sum in microseconds; nothing when it is missing or of an unknown unit.
  std::optional<double> duration_us() const;
};

// Reads what `ncu --csv --page raw` prints: lines of the tool itself, a header that begins with ID, a row of units (older versions print none), a row
// per launch. Empty when no launch was profiled and there is no header. Throws InputError for a row with more or fewer fields than the header.
std::vector<LaunchProfile> parse_raw_page(std::string_view text);

}  // namespace mskb
