#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "profile/raw_page.hpp"

namespace mskb {

// The path of ncu: on PATH, else beside nvcc; empty when there is none.
std::string find_ncu();

// "ncu 2025.3.1.0" as the program tells; empty when it cannot be run.
std::string ncu_version(const std::string& ncu);

// What to collect of the launches [skip, skip + count) of a process.
struct Collection {
  std::size_t skip = 0, count = 1;
  bool counters = false;  // the sections of a full profile; false: durations alone, in one pass
};

// The words before the program to profile.
std::vector<std::string> collect_command(const std::string& ncu, const Collection& collection, const std::filesystem::path& report);

// The raw page of a report file as CSV text. Throws HarnessError when ncu cannot import it.
std::string import_report(const std::string& ncu, const std::filesystem::path& report);

// Why a run under ncu brought no report, from what it printed: counters denied, its first error, or that it made none.
std::string why_no_report(const std::string& output);

}  // namespace mskb
