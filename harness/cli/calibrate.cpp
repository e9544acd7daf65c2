#include "cli/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "profile/profile_json.hpp"
#include "profile/thresholds_file.hpp"

namespace mskb::cli {

namespace fs = std::filesystem;

void calibrate_from(const std::vector<std::string>& directories) {
  std::vector<fs::path> files;
  for (const std::string& directory : directories) {
    if (!fs::is_directory(directory)) {
      throw InputError(fmt::format("--calibrate {}: no such directory; give one that `mskb profile --out` wrote", directory));
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.path().filename() == "full.json") {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Profile> profiles;
  for (const fs::path& file : files) {
    const auto stored = nlohmann::ordered_json::parse(read_file(file), nullptr, false);
    if (!stored.is_object() || !stored.contains("profile")) {
      throw InputError(fmt::format("{}: not a profile as `mskb profile` stores it; move it away", file.string()));
    }
    if (!stored["profile"].is_null()) {
      try {
        profiles.push_back(read_full_profile(stored["profile"]));
      } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}; move it away", file.string(), error.what()));
      }
    }
  }
  const Calibration found = calibrate(profiles);
  for (const std::string& line : found.not_usable) {
    fmt::print(stderr, "mskb: not used: {}\n", line);
  }
  const fs::path home = home_directory();
  const fs::path file = store_calibration(home, found);
  fmt::print("{}: {} references\ncompute throughput above {:g} %, DRAM above {:g} %, memory above {:g} %\nstored: {}\n", found.device,
             found.originals, found.thresholds.compute, found.thresholds.dram, found.thresholds.memory, fs::relative(file, home).string());
}

}  // namespace mskb::cli
