#include "evaluate/environment.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <thread>

namespace mskb {

namespace {

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      const auto colon = line.find(": ");
      return colon == std::string::npos ? line : line.substr(colon + 2);
    }
  }
  return "unknown";
}

}  // namespace

std::string cuda_version(std::uint32_t encoded) {
  return encoded == 0 ? "" : fmt::format("{}.{}", encoded / 1000, encoded % 1000 / 10);
}

std::string architecture_of(const wire::DeviceFacts& facts) {
  return fmt::format("{}{}{}", facts.capability_major, facts.capability_minor, facts.capability_major >= 9 ? "a" : "");
}

Environment make_environment(Backend backend, const wire::DeviceFacts* facts, const std::string& compiler) {
  Environment environment;
  environment.backend = to_string(backend);
  environment.device = "none";
  environment.driver = "none";
  environment.compiler = compiler;
  utsname system{};
  ::uname(&system);
  environment.kernel = fmt::format("{} {}", system.sysname, system.release);
  environment.host = system.machine;
  environment.cpu = cpu_name();
  environment.cores = static_cast<int>(std::thread::hardware_concurrency());
  if (facts != nullptr) {
    environment.device = std::string(facts->name, strnlen(facts->name, sizeof facts->name));
    environment.uuid = std::string(facts->uuid, strnlen(facts->uuid, sizeof facts->uuid));
    if (facts->capability_major != 0) {
      environment.compute_capability = fmt::format("{}.{}", facts->capability_major, facts->capability_minor);
    }
    if (facts->driver_version != 0) {
      environment.driver = cuda_version(facts->driver_version);
    }
    environment.runtime = cuda_version(facts->runtime_version);
    environment.multiprocessors = static_cast<int>(facts->multiprocessors);
    environment.l2_bytes = static_cast<double>(facts->l2_bytes);
    environment.memory_bytes = static_cast<double>(facts->memory_bytes);
    environment.memory_bandwidth = facts->memory_bandwidth;
    environment.fp32_flops = facts->fp32_flops;
  }
  environment.toolkit = backend == Backend::cuda ? compiler : "none";
  return environment;
}

}  // namespace mskb
