#include "evaluate/sanitizer_output.hpp"

#include <algorithm>
#include <string_view>

namespace mskb {

namespace {

// compute-sanitizer's findings stand at the beginning of a line; what is indented belongs to the finding above.
bool is_finding(std::string_view words) {
  constexpr std::string_view others[] = {" ", "COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY", "LEAK SUMMARY", "Program hit",
                                         "Target application", "Error: No attachable", "Warning: "};
  return !words.empty() && std::none_of(std::begin(others), std::end(others), [&](std::string_view other) { return words.starts_with(other); });
}

// What a sanitizer's line says, without addresses and process numbers, which differ from run to run; empty for any other line.
std::string sanitizer_words(const std::string& line) {
  constexpr std::string_view address = "ERROR: AddressSanitizer: ", undefined = "runtime error: ";
  if (const std::size_t at = line.find(address); at != std::string::npos) {
    const std::string words = line.substr(at + address.size());
    return "AddressSanitizer: " + words.substr(0, std::min(words.find(" on "), words.find(" (pc")));
  }
  constexpr std::string_view device = "========= ";
  if (line.starts_with(device) && is_finding(std::string_view(line).substr(device.size()))) {
    return line.substr(device.size());
  }
  const std::size_t at = line.find(undefined);
  return at == std::string::npos ? "" : "UndefinedBehaviorSanitizer: " + line.substr(at + undefined.size());
}

// "name.cu:14" of the first place in a .cu file that is named at or after `from`; empty when there is none.
std::string source_place(const std::string& output, std::size_t from) {
  const std::size_t extension = output.find(".cu:", from);
  if (extension == std::string::npos) {
    return "";
  }
  const std::size_t begin = output.find_last_of("/ \n", extension) + 1;  // npos + 1: the beginning
  const std::size_t digits = extension + std::string_view(".cu:").size();
  return output.substr(begin, output.find_first_not_of("0123456789", digits) - begin);
}

}  // namespace

std::string first_finding(const std::string& output) {
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    if (const std::string words = sanitizer_words(output.substr(at, end - at)); !words.empty()) {
      const std::string place = source_place(output, at);
      return place.empty() ? words : words + " at " + place;
    }
    at = end + 1;
  }
  return "";
}

std::string telling_line(const std::string& output) {
  if (const std::string finding = first_finding(output); !finding.empty()) {
    return finding;
  }
  const std::size_t last = output.find_last_not_of('\n');
  if (last == std::string::npos) {
    return "";
  }
  const std::size_t begin = output.rfind('\n', last) + 1;  // npos + 1: the beginning
  return output.substr(begin, std::min<std::size_t>(last + 1 - begin, 300));
}

}  // namespace mskb
