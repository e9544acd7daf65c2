#include "common/chat_options.hpp"

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace mskb::agents {

std::string ChatOptions::text(const std::string& name, const std::string& fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() || found->second.empty() ? fallback : found->second;
}

std::optional<double> ChatOptions::number(const std::string& name, double least) const {
  const std::string value = text(name);
  if (value.empty() || value == "null") {
    return std::nullopt;
  }
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (*end != '\0' || !std::isfinite(number) || number < least) {
    throw std::invalid_argument("option " + name + "=" + value + ": give a number of at least " + (least > 0 ? "1" : "0"));
  }
  return number;
}

bool ChatOptions::flag(const std::string& name, bool fallback) const {
  const std::string value = text(name);
  if (value == "true" || value == "yes" || value == "on" || value == "1") {
    return true;
  }
  if (value == "false" || value == "no" || value == "off" || value == "0") {
    return false;
  }
  if (!value.empty()) {
    throw std::invalid_argument("option " + name + "=" + value + ": give true or false");
  }
  return fallback;
}

}  // namespace mskb::agents
