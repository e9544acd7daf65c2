#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace mskb {

// Members stay in the order in which they were written, so that a stored message reads as it was sent.
using Json = nlohmann::ordered_json;

// One line of JSON without a newline in it; bytes that are not UTF-8 become U+FFFD.
inline std::string one_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// A message from outside, not nested without measure, which would exhaust the stack of whoever copies it. Throws Json::exception, or Nested.
struct Nested {
  static constexpr int most = 32;
};
inline Json parse_shallow(const std::string& text, int most = Nested::most) {
  return Json::parse(text, [most](int depth, Json::parse_event_t, Json&) {
    if (depth > most) {
      throw Nested();
    }
    return true;
  });
}

}  // namespace mskb
