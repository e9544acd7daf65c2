#include "common/problem_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mskb::agents {

namespace {

std::string argument_line(const optimizer::Argument& argument) {
  std::string line = fmt::format("- {}: {}, {}", argument.name, argument.role, argument.type);
  if (!argument.shape.empty()) {
    line += fmt::format(", shape [{}]", fmt::join(argument.shape, ", "));
  }
  if (!argument.contents.empty()) {
    line += "; " + argument.contents;
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

// "rows x cols x nnz" for a size such as 64x128x1000; empty where the names are not known.
std::string names_of(const optimizer::Start& start, const std::string& size) {
  const auto count = static_cast<std::size_t>(std::count(size.begin(), size.end(), 'x')) + 1;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, start.dims.size()); ++i) {
    names.push_back(start.dims[i].name);
  }
  return names.size() == count ? fmt::format("{}", fmt::join(names, " x ")) : "";
}

std::string dims_text(const optimizer::Start& start) {
  std::vector<std::string> lines;
  for (const optimizer::Dimension& dimension : start.dims) {
    lines.push_back(dimension.name + ": " + dimension.meaning);
  }
  return lines_of("Dims:", lines);
}

std::string accepted(const optimizer::Acceptance& accept) {
  const auto bound = [](double value, const std::string& of) { return fmt::format("{:g} times {}", value, of); };
  if (accept.kind == "elementwise") {
    const std::string of_result = bound(accept.rel, "|result|");
    const std::string of_terms = bound(accept.mag, "the sum of the absolute values of the terms that make it");
    return "each element errs by at most " +
           (accept.rel == 0   ? of_terms
            : accept.mag == 0 ? of_result
                              : of_result + " plus " + of_terms);
  }
  if (accept.kind == "normwise") {
    return fmt::format("the error's L2 norm is at most {:g} times the result's, and no element errs by more than {:g} times "
                       "the result's root mean square",
                       accept.l2, accept.peak);
  }
  return accept.kind == "order" ? "ascending, and the same values as before" : "equal to the exact result, rounded once";
}

}  // namespace

std::string acceptance_text(const optimizer::Start& start) {
  std::vector<std::string> lines;
  for (const optimizer::Acceptance& accept : start.accept) {
    lines.push_back(accept.output + ": " + accepted(accept));
  }
  return lines_of("Accepted, against truth in FP64 from the same inputs (truth rounded to the output's type always is):", lines);
}

std::string sizes_text(const optimizer::Start& start, const std::string& scored) {
  const auto found = start.cases.find(scored);
  if (found == start.cases.end() || found->second.empty()) {
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
  const std::string names = names_of(start, found->second.front().size);
  return fmt::format("Sizes that count{}, each with its share of the score: {}\n", names.empty() ? "" : " (" + names + ")",
                     fmt::join(sizes, ", "));
}

bool is_of_other_precision(const std::string& note, const std::string& precision) {
  const std::string own = precision == "fp32" ? "FP32" : "BF16", other = precision == "fp32" ? "BF16" : "FP32";
  if (note.find(own) != std::string::npos || note.find("both") != std::string::npos) {
    return false;
  }
  const std::string first = note.substr(0, note.find(". "));
  const auto has = [&](const std::string& words) { return first.find(words) != std::string::npos; };
  return has(other + " original") || has(other + " version") || first.starts_with("In " + other);
}

std::string problem_text(const optimizer::Start& start, const std::string& scored) {
  std::string text = fmt::format("{} in {}: {}\nEntry point: extern \"C\" {}\nArguments:\n", start.task,
                                 start.precision, start.summary, start.declaration);
  for (const optimizer::Argument& argument : start.signature) {
    text += argument_line(argument);
  }
  text += dims_text(start);
  std::vector<std::string> valid = start.valid;
  valid.push_back(
      "each buffer has fewer than 2^31 elements, starts at a multiple of 256 bytes, and overlaps no other");
  text += lines_of("What all sizes meet:", valid);
  if (!start.reset.empty()) {
    text += "Before a call: " + start.reset + "\n";
  }
  text += acceptance_text(start);
  std::vector<std::string> notes;
  std::copy_if(start.decisions.begin(), start.decisions.end(), std::back_inserter(notes),
               [&](const std::string& note) { return !is_of_other_precision(note, start.precision); });
  text += lines_of(
      "Notes of the task's authors on the original. In them \"published\" is the benchmark that the task comes from, "
      "\"ours\" this harness's version of it with the bounds above, and \"kept\" a trait of the original that versions "
      "need not share:",
      notes);
  return text + sizes_text(start, scored);
}

bool has_rows(const optimizer::Start& start) {
  return std::any_of(start.signature.begin(), start.signature.end(),
                     [](const optimizer::Argument& argument) { return argument.shape.size() > 1; });
}

std::string fenced(const std::string& source) {
  return "```cuda\n" + source + (source.ends_with('\n') ? "" : "\n") + "```\n";
}

}  // namespace mskb::agents
