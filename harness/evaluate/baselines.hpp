#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/candidate.hpp"
#include "model/case.hpp"

namespace mskb {

// A vendor library under <home>/baselines/<name>/: library.yaml beside one <task>.cu per operation that it offers.
struct BaselineLibrary {
  std::string name, summary;
  std::vector<std::string> link, loads, headers;
  std::map<std::string, std::string> gaps;  // "<task>/<precision>" -> why there is none
};

// Every library by name. Throws InputError with file and key for a malformed library.yaml.
std::vector<BaselineLibrary> load_baseline_libraries(const std::filesystem::path& home);

// The baselines of a problem, as candidates of origin "baseline:<library>"; `wanted` are library names, or "all".
std::vector<Candidate> baseline_candidates(const std::filesystem::path& home, const std::vector<BaselineLibrary>& libraries,
                                           const Problem& problem, const std::vector<std::string>& wanted);

}  // namespace mskb
