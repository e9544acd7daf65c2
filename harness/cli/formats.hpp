#pragma once
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "report/format.hpp"
#include "store/run_reader.hpp"

namespace mskb::cli {

inline constexpr std::pair<const char*, Format> format_names[] = {{"text", Format::text}, {"markdown", Format::markdown}, {"csv", Format::csv},
                                                                  {"json", Format::json}, {"latex", Format::latex},       {"html", Format::html}};

// --format, of the formats up to and with `last`, and --out.
inline void add_format(CLI::App& command, std::string& format, std::string& out, Format last) {
  std::vector<std::string> names;
  std::string list;
  for (const auto& [name, each] : format_names) {
    if (each <= last) {
      list += (names.empty() ? "" : each == last ? " or " : ", ") + std::string(name);
      names.emplace_back(name);
    }
  }
  command.add_option("--format", format, list + ".")->check(CLI::IsMember(names))->capture_default_str();
  command.add_option("--out", out, "File to write it to. Default: standard output.");
}

inline Format parse_format(const std::string& format) {
  for (const auto& [name, each] : format_names) {
    if (format == name) {
      return each;
    }
  }
  return Format::text;
}

// Whether the run's records are damaged; a line on standard error says so, whatever the format of what was printed.
inline bool tell_damage(const StoredRun& run) {
  if (run.valid()) {
    return false;
  }
  fmt::print(stderr, "mskb: {}: the run is invalid ({}{}); do not cite it\n", run.directory.string(), run.damage.front(),
             run.damage.size() > 1 ? fmt::format(", and {} more faults", run.damage.size() - 1) : "");
  return true;
}

// Throws InputError where the file cannot be written.
inline void print_or_write(const std::string& contents, const std::string& out) {
  if (out.empty()) {
    std::fwrite(contents.data(), 1, contents.size(), stdout);
  } else {
    try {
      write_file_atomically(out, contents);
    } catch (const HarnessError& error) {
      const std::string text = error.what();  // "create PATH: reason"
      throw InputError(fmt::format("--out {}: {}; name a file in a folder that exists and can be written", out, text.substr(text.rfind(": ") + 2)));
    }
  }
}

}  // namespace mskb::cli
