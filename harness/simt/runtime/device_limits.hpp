// What the CPU backend says about its device: compute capability 8.0.
#pragma once

#include <cstddef>

namespace mskb::simt::device {

constexpr int capability_major = 8;
constexpr int capability_minor = 0;
constexpr unsigned max_threads_per_block = 1024;
constexpr unsigned max_block[3] = {1024, 1024, 64};
constexpr unsigned max_grid[3] = {2147483647, 65535, 65535};
constexpr std::size_t shared_per_block = 48 * 1024;
constexpr std::size_t shared_per_block_optin = 163 * 1024;
constexpr std::size_t shared_per_multiprocessor = 164 * 1024;
constexpr std::size_t constant_memory = 64 * 1024;
constexpr int multiprocessors = 4;
constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 32;
constexpr int registers_per_block = 65536;
constexpr std::size_t global_memory = std::size_t{4} << 30;
constexpr int l2_bytes = 4 << 20;

}  // namespace mskb::simt::device
