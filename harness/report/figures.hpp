#pragma once
#include <optional>
#include <string>

namespace mskb {

// Figures as tables show them, the same text under every locale. An absent one is "-".
std::string ratio_text(double ratio);                             // 2.31, 46.8, 1204
std::string interval_text(double low, double high);               // 2.29-2.33; "-" when both are equal
std::string time_text(const std::optional<double>& microseconds); // 4 significant digits: 1.234, 12.34, 1234, 123456
std::string share_text(const std::optional<double>& share);       // 61%
std::string origin_text(const std::string& origin);               // "optimizer:x#1" as x#1, all others as they are
double rounded(double value);                                     // 6 significant digits, for JSON

}  // namespace mskb
