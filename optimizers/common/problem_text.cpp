#include "common/problem_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mskb::agents {

namespace {

std::string argument_line(const optimizer::Argument& argument) {
  std::string line = fmt::format("- {}: {}, {}", argument.name, argument.role, argument.type);
  if (!argument.shape.empty()) {
    line += fmt::format(", shape [{}]", fmt::join(argument.shape, ", "));
  }
  return line + (argument.has_default ? ", may be left out at the end of the list" : "") + "\n";
}

std::string lines_of(const std::string& title, const std::vector<std::string>& items) {
  std::string text = items.empty() ? "" : title + "\n";
  for (const std::string& item : items) {
    text += "- " + item + "\n";
  }
  return text;
}

std::string sizes_line(const optimizer::Start& start, const std::string& set) {
  const auto found = start.cases.find(set);
  if (found == start.cases.end()) {
    return "";
  }
  double total = 0;
  for (const optimizer::Case& each : found->second) {
    total += each.weight;
  }
  std::vector<std::string> sizes;
  for (const optimizer::Case& each : found->second) {
    sizes.push_back(total > 0 ? fmt::format("{} ({:.1f} %)", each.size, 100 * each.weight / total) : each.size);
  }
  return fmt::format("Sizes that count, each with its share of the score: {}\n", fmt::join(sizes, ", "));
}

}  // namespace

std::string problem_text(const optimizer::Start& start, const std::string& scored) {
  std::string text = fmt::format("{} in {}: {}\nEntry point: extern \"C\" {}\nArguments:\n", start.task,
                                 start.precision, start.summary, start.declaration);
  for (const optimizer::Argument& argument : start.signature) {
    text += argument_line(argument);
  }
  text += lines_of("What all sizes meet:", start.valid);
  if (!start.reset.empty()) {
    text += "Before a call: " + start.reset + "\n";
  }
  text += lines_of("Easily got wrong:", start.decisions);
  return text + sizes_line(start, scored);
}

std::string device_text(const optimizer::Start& start) {
  const optimizer::Device& device = start.device;
  if (device.backend != "cuda") {
    return fmt::format(
        "No GPU: candidates run on a processor ({}), compiled by {}, which emulates CUDA's threads, blocks and shared "
        "memory. Inline PTX and tensor-core intrinsics are not supported there. It tells right from wrong and takes no "
        "times.\n",
        device.name, device.compiler);
  }
  return fmt::format(
      "{}, compute capability {}, {} multiprocessors, {:.0f} MiB of L2 cache, {:.1f} GiB of memory, driver {}, "
      "toolkit {}, compiler {}.\n",
      device.name, device.compute_capability, device.multiprocessors, device.l2_bytes / (1 << 20),
      device.memory_bytes / (1 << 30), device.driver, device.toolkit, device.compiler);
}

std::string fenced(const std::string& source) {
  return "```cuda\n" + source + (source.ends_with('\n') ? "" : "\n") + "```\n";
}

}  // namespace mskb::agents
