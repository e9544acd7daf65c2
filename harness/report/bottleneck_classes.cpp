#include "report/bottleneck_classes.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/files.hpp"

namespace mskb {

namespace fs = std::filesystem;

std::string ProfiledClasses::of(const std::string& problem, const std::string& candidate) const {
  for (const ProfiledClass& each : list) {
    if (each.problem == problem && each.candidate == candidate) {
      return each.bottleneck;
    }
  }
  return "";
}

ProfiledClasses read_profiled_classes(const fs::path& directory) {
  ProfiledClasses classes;
  if (directory.empty() || !fs::is_directory(directory)) {
    return classes;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().filename() == "filtered.json") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string name = file.lexically_relative(directory).generic_string();
    const auto json = nlohmann::json::parse(read_file(file), nullptr, false);
    const auto text = [&](const char* field) {
      const auto found = json.is_object() ? json.find(field) : json.end();
      return json.is_object() && found != json.end() && found->is_string() ? found->template get<std::string>() : std::string();
    };
    ProfiledClass one{"", text("case"), text("candidate"), text("origin"), text("device"), ""};
    const std::size_t slash = one.case_name.find('/', one.case_name.find('/') + 1);
    if (one.case_name.empty() || slash == std::string::npos || one.candidate.empty()) {
      classes.notes.push_back(name + ": is no stored profile; left out");
      continue;
    }
    one.problem = one.case_name.substr(0, slash);
    if (const auto profile = json.find("profile"); profile != json.end() && profile->is_object()) {
      one.bottleneck = profile->value("class", "");
    }
    if (one.bottleneck.empty()) {
      const std::string reason = text("profile_reason");
      classes.notes.push_back(name + ": no class" + (reason.empty() ? "" : ": " + reason));
      continue;
    }
    classes.list.push_back(std::move(one));
  }
  return classes;
}

}  // namespace mskb
