#include "report/figures.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace mskb {

std::string ratio_text(double ratio) {
  const double size = std::fabs(ratio);
  return fmt::format("{:.{}f}", ratio, size >= 999.5 ? 0 : size >= 99.95 ? 1 : 2);
}

std::string interval_text(double low, double high) {
  return low == high ? "-" : ratio_text(low) + "-" + ratio_text(high);
}

std::string time_text(const std::optional<double>& microseconds) {
  if (!microseconds) {
    return "-";
  }
  const double size = *microseconds;
  return fmt::format("{:.{}f}", size, size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3);
}

std::string share_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.0f}%", *share * 100) : "-";
}

std::string origin_text(const std::string& origin) {
  constexpr std::string_view prefix = "optimizer:";
  return origin.starts_with(prefix) ? origin.substr(prefix.size()) : origin;
}

double rounded(double value) {
  const std::string text = fmt::format("{:.6g}", value);
  double result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

}  // namespace mskb
