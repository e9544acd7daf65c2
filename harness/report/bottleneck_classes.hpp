#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mskb {

// A bottleneck class that a stored profile names (docs/profiles.md).
struct ProfiledClass {
  std::string problem, case_name, candidate, origin, device, bottleneck;
};

struct ProfiledClasses {
  std::vector<ProfiledClass> list;  // by file
  std::vector<std::string> notes;   // profiles that could not be read, or hold no class, and why

  // The class of a candidate at any case of a problem; empty without one.
  std::string of(const std::string& problem, const std::string& candidate) const;
};

// Every filtered profile below `directory`; none where that is no directory.
ProfiledClasses read_profiled_classes(const std::filesystem::path& directory);

}  // namespace mskb
