#include "evaluate/baselines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "model/names.hpp"
#include "model/yaml_file.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

BaselineLibrary load_library(const fs::path& path) {
  const std::string folder = path.parent_path().filename().string();
  const YamlFile file(path, fmt::format("baselines/{}/library.yaml", folder), "docs/task-format.md");
  YamlMap map(file, file.root(), "a library");
  BaselineLibrary library;
  const YAML::Node name = map.need("library");
  library.name = file.text(name, "library");
  if (library.name != folder) {
    file.fail(name, fmt::format("library '{}' is not the directory's name; rename one of them", library.name));
  }
  if (!is_word(library.name)) {
    file.fail(name, fmt::format("library '{}' is not one word of letters, digits and _; rename it and its directory", library.name));
  }
  library.summary = file.text(map.need("summary"), "summary");
  library.link = file.texts(map.need("link"), "link");
  library.loads = file.texts(map.need("loads"), "loads");
  library.headers = file.texts(map.need("headers"), "headers");
  for (const char* told : {"version", "math_mode"}) {  // of people
    map.find(told);
  }
  if (const YAML::Node gaps = map.find("gaps"); gaps.IsDefined()) {
    YamlMap reasons(file, gaps, "gaps");
    for (const std::string& problem : reasons.keys()) {
      library.gaps[problem] = file.text(reasons.need(problem), "the reason of a gap");
    }
  }
  map.close();
  return library;
}

}  // namespace

std::vector<BaselineLibrary> load_baseline_libraries(const fs::path& home) {
  std::vector<BaselineLibrary> libraries;
  if (!fs::exists(home / "baselines")) {
    return libraries;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(home / "baselines")) {
    if (fs::exists(entry.path() / "library.yaml")) {
      libraries.push_back(load_library(entry.path() / "library.yaml"));
    }
  }
  std::sort(libraries.begin(), libraries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return libraries;
}

std::vector<Candidate> baseline_candidates(const fs::path& home, const std::vector<BaselineLibrary>& libraries,
                                           const Problem& problem, const std::vector<std::string>& wanted) {
  std::vector<Candidate> candidates;
  for (const std::string& name : wanted) {
    if (name != "all" && std::none_of(libraries.begin(), libraries.end(), [&](const auto& library) { return library.name == name; })) {
      throw InputError(fmt::format("baseline '{}' is unknown; `mskb list --baselines` shows those there are", name));
    }
  }
  for (const BaselineLibrary& library : libraries) {
    const bool chosen = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) { return name == "all" || name == library.name; });
    const fs::path file = home / "baselines" / library.name / (problem.task->name + ".cu");
    if (!chosen || !fs::exists(file) || library.gaps.contains(problem.name())) {
      continue;
    }
    Candidate candidate = candidate_from_file(file, "baseline:" + library.name);
    candidate.libraries = library.link;
    candidate.allowed_loads = library.loads;
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

}  // namespace mskb
