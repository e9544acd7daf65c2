#include "cli/options.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/characters.hpp"
#include "base/errors.hpp"
#include "base/files.hpp"
#include "evaluate/keeper_client.hpp"

namespace mskb::cli {

CLI::Validator positive_number() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0 ? std::string() : fmt::format("'{}' is no number above 0", text);
      },
      "NUMBER > 0");
}

void ProblemOptions::add(CLI::App& command) {
  command.add_option("--task", tasks, "Task by name, glob, scenario or family; repeatable. All when left out.");
  command.add_option("--precision", precision, "fp32, bf16 or all.")->capture_default_str();
}

std::vector<Problem> ProblemOptions::problems(const std::vector<Task>& all) const {
  if (precision != "fp32" && precision != "bf16" && precision != "all") {
    throw InputError(fmt::format("--precision {}: give fp32, bf16 or all", precision));
  }
  std::vector<Problem> problems;
  for (const Task* task : select_tasks(all, tasks)) {
    for (const Precision one : {Precision::fp32, Precision::bf16}) {
      if (precision == "all" || precision == to_string(one)) {
        problems.push_back({task, one});
      }
    }
  }
  return problems;
}

std::vector<Task> load_tasks_for(const std::filesystem::path& home, const std::vector<std::string>& patterns) {
  std::vector<RefusedTask> refused;
  std::vector<Task> tasks = load_tasks(home, refused);
  for (const RefusedTask& one : refused) {
    if (patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) { return matches_name(pattern, one.name); })) {
      throw InputError(one.error);
    }
  }
  for (const RefusedTask& one : refused) {
    fmt::print(stderr, "mskb: left out: {}\n", one.error);
  }
  return tasks;
}

void DeviceOptions::add(CLI::App& command) {
  command.add_option("--device", device, "auto, cuda, cuda:N or cpu. The CPU gives verdicts, never speedups.")->capture_default_str();
}

void require_device(const DeviceOptions::Choice& device) {
  try {
    const KeeperClient probe(device.backend, device.ordinal);
  } catch (const NoDevice& none) {
    throw InputError(fmt::format("nothing ran, no session was begun ({}); use a machine that has what is missing, or --device cpu for verdicts",
                                 none.what()));
  }
}

DeviceOptions::Choice DeviceOptions::choose() const {
  if (device == "cpu") {
    return {Backend::cpu, 0};
  }
  if (device == "auto") {
    try {
      const KeeperClient probe(Backend::cuda, 0);
      return {Backend::cuda, 0};
    } catch (const InputError&) {
      return {Backend::cpu, 0};
    }
  }
  if (device == "cuda") {
    return {Backend::cuda, 0};
  }
  if (device.starts_with("cuda:")) {
    int ordinal = -1;
    const char* end = device.data() + device.size();
    const auto [stop, error] = std::from_chars(device.data() + 5, end, ordinal);
    if (error == std::errc{} && stop == end && ordinal >= 0) {
      return {Backend::cuda, ordinal};
    }
  }
  throw InputError(fmt::format("--device {}: give auto, cuda, cuda:N or cpu", device));
}

double parse_duration(const std::string& text, const std::string& flag) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const std::string unit(stop, end);
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "ms" ? 0.001 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  constexpr double longest_s = 30 * 24 * 3600.0;
  if (error != std::errc{} || factor == 0 || !(value > 0) || value * factor > longest_s) {
    throw InputError(fmt::format("{}'{}' is not a time of up to 30 days; write 90s, 8m or 1h", flag.empty() ? "" : flag + ": ", text));
  }
  return value * factor;
}

SandboxLevel choose_sandbox(bool refused, bool scores) {
  if (refused) {
    return SandboxLevel::none;
  }
  const SandboxLevel level = strongest_sandbox();
  if (level != SandboxLevel::full && scores) {
    throw InputError(fmt::format("the sandbox is only `{}` here (namespaces are not allowed), too little to score candidates; allow user "
                                 "namespaces, or say --no-sandbox",
                                 to_string(level)));
  }
  if (level != SandboxLevel::full) {
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // candidates see this process there: its memory is not theirs to read or write
    fmt::print(stderr, "mskb: the sandbox is `{}` here (namespaces are not allowed); the records say so\n", to_string(level));
  }
  return level;
}

void hide_what_candidates_need_not_see(const std::filesystem::path& home) {
  for (const char* folder : {"tasks", "optimizers", "baselines", "results", "out"}) {
    hide_from_sandbox(home / folder);
  }
  hide_from_sandbox(cache_directory());
}

void Progress::show(const std::string& text) {
  if (::isatty(STDERR_FILENO) == 0) {
    return;
  }
  const std::string visible = visible_line(text), line(first_characters(visible, 118));
  fmt::print(stderr, "\r{:<{}}", line, width_);
  std::fflush(stderr);
  width_ = line.size();
}

void Progress::notice(const std::string& text) {
  show("");
  fmt::print(stderr, "{}mskb: {}\n", width_ > 0 || ::isatty(STDERR_FILENO) != 0 ? "\r" : "", visible_line(text));
}

void Progress::clear() {
  if (width_ > 0) {
    fmt::print(stderr, "\r{:<{}}\r", "", width_);
    std::fflush(stderr);
    width_ = 0;
  }
}

}  // namespace mskb::cli
