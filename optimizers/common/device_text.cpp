#include "common/device_text.hpp"

#include <fmt/format.h>

namespace mskb::agents {

namespace {

std::string timing_text(const std::string& clock) {
  if (clock == "batch") {
    return "How a GPU's times are taken: the mean of 50 calls in a row between two events, on the same buffers, with a warm cache. The calls follow "
           "each other in the default stream; work on streams of a version's own has to be joined to it.\n";
  }
  const std::string cold =
      "Before every call all buffers are written anew at addresses that move, outputs are poisoned, and the L2 cache is swept (an area larger "
      "than it is written and read), so that a call finds none of its data in a cache. ";
  if (clock == "call") {
    return cold + "How a GPU's times are taken: the host's clock around the call and a synchronisation of the device.\n";
  }
  return cold + "How a GPU's times are taken: from the start of a call's first device activity to the end of its last, on all streams, plus the "
                "host time before and after that goes beyond a bare launch.\n";
}

// One name where toolkit and compiler are the same.
std::string tools_text(const optimizer::Device& device) {
  const std::string toolkit = device.toolkit.empty() ? device.compiler : device.toolkit;
  const std::string driver = device.driver.empty() ? "" : "; the driver supports CUDA " + device.driver;
  return driver + "; compiled with " + toolkit +
         (device.compiler.empty() || device.compiler == toolkit ? "" : " and " + device.compiler);
}

}  // namespace

std::string emulation_text() {
  return "It has: shared memory (static and dynamic, 48 KiB, 163 KiB on request), barriers, warp shuffles, votes, "
         "matches and reductions, atomics, fences, vector types such as float4, __ldg and the cached loads and stores, "
         "fast math such as __expf, bfloat16 and half, constant memory, device allocations, streams, events, and graphs "
         "captured from a stream. __CUDA_ARCH__ is 800.\n"
         "It lacks: inline PTX (so cp.async, mma, TMA), wmma, cooperative groups and launches, clusters and extended "
         "launches, everything in cuda::, pipelines, textures, FP8, and the toolkit's other headers (CUB, Thrust); a "
         "version that uses one of these counts as failed. Lanes of a warp do not run in lockstep: where they exchange "
         "data through memory, __syncwarp is needed.\n";
}

std::string device_text(const optimizer::Start& start) {
  const optimizer::Device& device = start.device;
  if (device.backend != "cuda") {
    return fmt::format(
               "The kernel is meant for an NVIDIA GPU: think of a recent data-centre one. Only correctness is tested "
               "here, on a processor ({}; compiler {}) that emulates CUDA; nothing is timed.\n",
               device.name, device.compiler) +
           emulation_text() + timing_text(start.clock);
  }
  const std::string bandwidth =
      device.memory_bandwidth > 0 ? fmt::format(" at {:.0f} GB/s peak", device.memory_bandwidth / 1e9) : std::string();
  return fmt::format("{}, compute capability {}, {} multiprocessors, {:.0f} MiB of L2 cache, {:.1f} GiB of memory{}{}.\n", device.name,
                     device.compute_capability, device.multiprocessors, device.l2_bytes / (1 << 20), device.memory_bytes / (1 << 30),
                     bandwidth, tools_text(device)) +
         (start.clock.empty() ? "" : timing_text(start.clock));
}

}  // namespace mskb::agents
