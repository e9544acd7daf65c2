#include "profile/thresholds_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <map>
#include <sstream>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "model/yaml_file.hpp"
#include "profile/otsu.hpp"

namespace mskb {

namespace fs = std::filesystem;

fs::path device_file(const fs::path& home, const std::string& device) {
  std::istringstream words(device);
  std::string name, word;
  while (words >> word) {
    std::string plain;
    for (const char c : word) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
        plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
    }
    if (!plain.empty() && plain != "nvidia" && plain != "geforce") {
      name += (name.empty() ? "" : "-") + plain;
    }
  }
  return home / "configs/devices" / ((name.empty() ? "unknown" : name) + ".yaml");
}

Thresholds device_thresholds(const fs::path& home, const std::string& device) {
  const fs::path path = device_file(home, device);
  Thresholds thresholds;
  if (!fs::exists(path)) {
    return thresholds;
  }
  const std::string label = "configs/devices/" + path.filename().string();
  const YamlFile file(path, label, "docs/profiles.md");
  const YAML::Node found = YamlMap(file, file.root(), "a device's file").find("bottleneck");
  if (!found.IsDefined()) {
    return thresholds;
  }
  YamlMap map(file, found, "bottleneck");
  const auto percent = [&](const char* name) {
    const YAML::Node node = map.need(name);
    const double value = file.number(node, name);
    if (!(value > 0 && value < 100)) {
      file.fail(node, fmt::format("{} is {}; a threshold is a percentage between 0 and 100", name, value));
    }
    return value;
  };
  thresholds.compute = percent("compute");
  thresholds.dram = percent("dram");
  thresholds.memory = percent("memory");
  map.find("method");
  map.find("originals");
  map.close();
  thresholds.source = label;
  return thresholds;
}

Calibration calibrate(const std::vector<Profile>& originals) {
  Calibration found;
  std::array<std::vector<double>, 3> values;
  std::map<std::string, bool> seen;
  for (const Profile& profile : originals) {
    if (profile.origin != "reference" || seen[profile.case_name]) {
      continue;
    }
    seen[profile.case_name] = true;
    if (!found.device.empty() && found.device != profile.device) {
      throw InputError(fmt::format("--calibrate: profiles of {} and of {}; give those of one device", found.device, profile.device));
    }
    found.device = profile.device;
    const Throughputs throughputs = throughputs_of(profile.kernels);
    const Reading* all[] = {&throughputs.compute, &throughputs.dram, &throughputs.memory};
    std::string missing;
    for (const Reading* one : all) {
      missing = one->value ? missing : one->reason;
    }
    if (!missing.empty()) {
      found.not_usable.push_back(profile.case_name + ": " + missing);
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i].push_back(*all[i]->value);
    }
  }
  found.originals = values[0].size();
  if (found.originals < 2) {
    throw InputError(fmt::format("--calibrate: {} usable profiles of references; make some with `mskb profile --task ... --out DIR`", found.originals));
  }
  double* targets[] = {&found.thresholds.compute, &found.thresholds.dram, &found.thresholds.memory};
  constexpr const char* names[] = {"compute", "DRAM", "memory"};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto threshold = otsu_threshold(values[i]);
    if (!threshold) {
      throw InputError(fmt::format("--calibrate: the {} throughput of all {} profiles is the same within 1 %; give more references", names[i],
                                   found.originals));
    }
    *targets[i] = *threshold;
  }
  found.thresholds.source = "Otsu's method";
  return found;
}

fs::path store_calibration(const fs::path& home, const Calibration& calibration) {
  const fs::path path = device_file(home, calibration.device);
  YAML::Node root(YAML::NodeType::Map);
  if (fs::exists(path)) {
    const YamlFile file(path, "configs/devices/" + path.filename().string());
    YamlMap(file, file.root(), "a device's file");
    root = file.root();
  }
  root["device"] = calibration.device;
  YAML::Node entry;
  entry["method"] = "Otsu's method on the throughputs of the references, in percent of the peak";
  entry["originals"] = calibration.originals;
  entry["compute"] = calibration.thresholds.compute;
  entry["dram"] = calibration.thresholds.dram;
  entry["memory"] = calibration.thresholds.memory;
  root["bottleneck"] = entry;
  YAML::Emitter text;
  text << root;
  fs::create_directories(path.parent_path());
  write_file_atomically(path, "# Written by `mskb profile --calibrate`.\n" + std::string(text.c_str()) + "\n");
  return path;
}

}  // namespace mskb
