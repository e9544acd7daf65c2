#include "optimize/option_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mskb {

std::string OptionRule::wanted_instead_of(const std::string& value) const {
  if (value.empty()) {
    return "";
  }
  if (!one_of.empty() && std::find(one_of.begin(), one_of.end(), value) == one_of.end()) {
    return fmt::format("one of {}", fmt::join(one_of, ", "));
  }
  if (!range) {
    return "";
  }
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number, std::chars_format::general);
  const bool right = error == std::errc() && end == value.data() + value.size() && number >= range->first && number <= range->second &&
                     (!whole || value.find_first_of(".eE") == std::string::npos);
  return right ? "" : fmt::format("a {}number from {} to {}", whole ? "whole " : "", range->first, range->second);
}

}  // namespace mskb
