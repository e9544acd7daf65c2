#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "profile/bottleneck.hpp"

namespace mskb {

// <home>/configs/devices/<device>.yaml, the device's name in lower case, without the vendor's and the product line's: h200.yaml, rtx-4090.yaml.
std::filesystem::path device_file(const std::filesystem::path& home, const std::string& device);

// The thresholds that the device's file states under `bottleneck`; the paper's 30 % where there is none. Throws InputError "file:line: ...".
Thresholds device_thresholds(const std::filesystem::path& home, const std::string& device);

// What a calibration found.
struct Calibration {
  std::string device;
  Thresholds thresholds;
  std::size_t originals = 0;             // how many profiles it rests on
  std::vector<std::string> not_usable;   // "case: why", for profiles that lack a throughput
};

// Otsu's method on each throughput over full profiles of references, one of each case, a profile's kernels weighted by time. Throws InputError when
// they are of several devices, fewer than two are usable, or a throughput is the same for all.
Calibration calibrate(const std::vector<Profile>& originals);

// Writes `bottleneck` of the device's file and keeps what else stands there. Returns the file.
std::filesystem::path store_calibration(const std::filesystem::path& home, const Calibration& calibration);

}  // namespace mskb
