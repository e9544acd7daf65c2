#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace mskb {

// Rows of comma-separated text; a field in double quotes may hold commas, line ends and doubled quotes. LF and CRLF; empty lines are left out.
// Throws InputError when a quote is not closed.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

}  // namespace mskb
