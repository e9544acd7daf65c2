#include "profile/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

namespace mskb {

namespace {

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

bool needs_decimal_comma(std::string_view cell) {
  static const std::regex only(R"(-?(\d{1,3}(\.\d{3})+,\d+|0,\d+|\d{4,},\d+|\d+,(\d{1,2}|\d{4,}))(\s.*)?)");
  const std::string_view text = trim(cell);
  return std::regex_match(text.begin(), text.end(), only);
}

std::optional<CellNumber> cell_number(std::string_view cell, DecimalMark mark) {
  // Digits, perhaps grouped by threes; a fraction; an exponent; then nothing, or a space and a unit, or a per cent sign.
  static const std::regex with_point(R"(([-+]?(?:\d{1,3}(?:[,' ]\d{3})+|\d+)(?:\.\d*)?(?:[eE][-+]?\d+)?)(?:\s+([^\d\s].*)|(%))?)");
  static const std::regex with_comma(R"(([-+]?(?:\d{1,3}(?:[.' ]\d{3})+|\d+)(?:,\d*)?(?:[eE][-+]?\d+)?)(?:\s+([^\d\s].*)|(%))?)");
  const std::string text(trim(cell));
  std::smatch parts;
  if (!std::regex_match(text, parts, mark == DecimalMark::point ? with_point : with_comma)) {
    return std::nullopt;
  }
  std::string digits = parts[1];
  const char group = mark == DecimalMark::point ? ',' : '.';
  std::erase_if(digits, [&](char c) { return c == group || c == ' ' || c == '\'' || c == '+'; });
  std::replace(digits.begin(), digits.end(), ',', '.');
  CellNumber number;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number.value);
  if (error != std::errc{} || stop != end || !std::isfinite(number.value)) {
    return std::nullopt;
  }
  number.unit = parts[2].matched ? parts[2].str() : parts[3].str();
  return number;
}

}  // namespace mskb
