#include "build/first_error.hpp"

#include <algorithm>
#include <array>

namespace mskb {

namespace {

// Length of the UTF-8 sequence that begins at `at`; 0 when there is none.
std::size_t sequence_length(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < bytes.size() ? bytes[i] : 0); };
  const unsigned char first = byte(at);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const unsigned char second = byte(at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return overlong || outside ? 0 : length;
}

bool says_error(std::string_view line) {
  static constexpr std::array<std::string_view, 6> signs{
      "error:", "error :", "fatal", "undefined", "multiple definition", "error   :"};
  return std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) { return line.find(sign) != line.npos; });
}

}  // namespace

std::string display_line(std::string_view bytes, std::size_t limit) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    if (text.size() >= limit) {
      return text + "...";
    }
    const std::size_t length = sequence_length(bytes, at);
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (length == 0) {
      text += "\xEF\xBF\xBD";
    } else if (byte < 0x20 || byte == 0x7F) {
      text += ' ';
    } else {
      text += bytes.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::string first_error(std::string_view output) {
  std::string fallback;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view line = output.substr(at, end - at);
    if (says_error(line)) {
      return display_line(line);
    }
    if (fallback.empty()) {
      fallback = display_line(line);
    }
    at = end + 1;
  }
  return fallback;
}

}  // namespace mskb
