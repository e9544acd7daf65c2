#include "profile/ncu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/errors.hpp"
#include "base/subprocess.hpp"
#include "build/compiler.hpp"
#include "profile/bottleneck.hpp"

namespace mskb {

namespace fs = std::filesystem;

namespace {

constexpr const char* sections[] = {"SpeedOfLight",    "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "SchedulerStats",
                                    "WarpStateStats",  "InstructionStats",        "LaunchStats",            "Occupancy"};

// Sections leave some of the paper's metrics out, depending on the processor and the version.
std::string paper_metrics() {
  std::string names;
  for (const Bottleneck bottleneck : {Bottleneck::compute, Bottleneck::memory_latency, Bottleneck::memory_bandwidth}) {
    for (const PaperMetric& metric : metrics_of(bottleneck)) {
      names += (names.empty() ? "" : ",") + std::string(metric.names.front());
    }
  }
  return names;
}

fs::path on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    const fs::path program = fs::path(folder.empty() ? "." : folder) / name;
    if (fs::is_regular_file(program, error)) {
      return fs::absolute(program);
    }
  }
  return {};
}

}  // namespace

std::string find_ncu() {
  if (const fs::path found = on_path("ncu"); !found.empty()) {
    return found;
  }
  const std::string nvcc = find_compiler(Backend::cuda);
  const fs::path beside = fs::weakly_canonical(nvcc).parent_path() / "ncu";
  return !nvcc.empty() && fs::exists(beside) ? beside.string() : "";
}

std::string ncu_version(const std::string& ncu) {
  const SubprocessResult result = run_subprocess({ncu, "--version"});
  constexpr std::string_view word = "Version ";
  const std::size_t at = result.output.find(word);
  if (!result.ok() || at == std::string::npos) {
    return "";
  }
  const std::size_t begin = at + word.size();
  return "ncu " + result.output.substr(begin, result.output.find_first_of(" \n", begin) - begin);
}

std::vector<std::string> collect_command(const std::string& ncu, const Collection& collection, const fs::path& report) {
  std::vector<std::string> words{ncu, "--export", report.string(), "--force-overwrite", "--clock-control", "none", "--cache-control", "all",
                                 "--replay-mode", "kernel", "--launch-skip", std::to_string(collection.skip),
                                 "--launch-count", std::to_string(collection.count)};
  if (collection.counters) {
    for (const char* section : sections) {
      words.insert(words.end(), {"--section", section});
    }
    words.insert(words.end(), {"--metrics", paper_metrics()});
  } else {
    words.insert(words.end(), {"--metrics", "gpu__time_duration.sum"});
  }
  return words;
}

std::string import_report(const std::string& ncu, const fs::path& report) {
  SubprocessOptions options;
  options.output_limit = std::size_t{64} << 20;
  const SubprocessResult result =
      run_subprocess({"env", "LC_ALL=C", ncu, "--import", report.string(), "--csv", "--page", "raw", "--print-units", "base"}, options);
  if (!result.ok() || result.output_cut) {
    throw HarnessError(fmt::format("ncu did not import its report (exit code {}): {}", result.exit_code,
                                   (result.errors + result.output).substr(0, 300)));
  }
  return result.output;
}

std::string why_no_report(const std::string& output) {
  if (output.find("ERR_NVGPUCTRPERM") != std::string::npos) {
    return "the driver denies the device's counters to this user (ERR_NVGPUCTRPERM); let an administrator permit them";
  }
  constexpr std::string_view mark = "==ERROR== ";
  if (const std::size_t at = output.find(mark); at != std::string::npos) {
    const std::size_t begin = at + mark.size();
    return "ncu: " + output.substr(begin, std::min<std::size_t>(output.find('\n', begin) - begin, 300));
  }
  return "ncu made no report";
}

}  // namespace mskb
