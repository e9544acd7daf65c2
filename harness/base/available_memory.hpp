#pragma once
#include <cstdint>
#include <filesystem>

namespace mskb {

// Bytes of memory that this process could still take: what /proc/meminfo calls available, or less where a control group (v1 or v2) of this process
// or one above it leaves less. Files in the cache count as free. `root` is where /proc and /sys are found.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace mskb
