#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "report/format.hpp"

namespace mskb::cli {

inline void add_format(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "text, markdown or json.")->check(CLI::IsMember({"text", "markdown", "json"}))->capture_default_str();
}

inline Format parse_format(const std::string& format) {
  return format == "json" ? Format::json : format == "markdown" ? Format::markdown : Format::text;
}

}  // namespace mskb::cli
