#pragma once
#include <string>
#include <vector>

namespace mskb::cli {

// `mskb profile --calibrate DIR...`: thresholds of the device from every full.json below the directories; prints them and where they are stored.
void calibrate_from(const std::vector<std::string>& directories);

}  // namespace mskb::cli
