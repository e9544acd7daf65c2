#include "evaluate/baselines.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "base/errors.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> texts(const YAML::Node& node) {
  return node ? node.as<std::vector<std::string>>() : std::vector<std::string>{};
}

BaselineLibrary load_library(const fs::path& file) {
  try {
    const YAML::Node node = YAML::LoadFile(file.string());
    BaselineLibrary library;
    library.name = node["library"].as<std::string>();
    library.summary = node["summary"].as<std::string>();
    library.link = texts(node["link"]);
    library.loads = texts(node["loads"]);
    library.headers = texts(node["headers"]);
    if (node["gaps"]) {
      library.gaps = node["gaps"].as<std::map<std::string, std::string>>();
    }
    if (library.name != file.parent_path().filename()) {
      throw InputError(fmt::format("{}: library: {} is not the directory's name; rename one of them", file.string(), library.name));
    }
    return library;
  } catch (const YAML::Exception& error) {
    throw InputError(fmt::format("{}:{}: {}; library and summary are texts, link, loads and headers are lists", file.string(),
                                 error.mark.line + 1, error.msg));
  }
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
