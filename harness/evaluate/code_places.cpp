#include "evaluate/code_places.hpp"

#include <sstream>

#include "base/errors.hpp"
#include "base/subprocess.hpp"

namespace mskb {

namespace {

// "name.cu:14" of the lines that addr2line prints from the innermost function outwards; empty when none tells.
std::string first_place(const std::string& output) {
  std::istringstream lines(output);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = std::filesystem::path(line.substr(0, line.find(" ("))).filename();
    if (place.starts_with("?") || place.ends_with(":?") || place.ends_with(":0")) {
      continue;
    }
    if (place.find(".cu:") != std::string::npos || place.find(".cuh:") != std::string::npos) {
      return place;
    }
    first = first.empty() ? place : first;
  }
  return first;
}

std::string place_of(const std::string& address, const std::filesystem::path& object) {
  try {
    const SubprocessResult result = run_subprocess({"addr2line", "-i", "-e", object.string(), address});
    return result.ok() ? first_place(result.output) : "";
  } catch (const HarnessError&) {
    return "";  // not installed
  }
}

}  // namespace

std::string name_code_places(std::string text, const std::filesystem::path& object) {
  constexpr std::string_view open = "{0x";
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789abcdef", at + open.size());
    if (end == std::string::npos || text[end] != '}') {
      continue;
    }
    if (const std::string place = place_of(text.substr(at + 1, end - at - 1), object); !place.empty()) {
      text.replace(at, end + 1 - at, place);
    }
  }
  return text;
}

}  // namespace mskb
