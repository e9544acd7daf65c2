#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace mskb {

// Members stay in the order in which they were written, so that a stored message reads as it was sent.
using Json = nlohmann::ordered_json;

// One line of JSON without a newline in it; bytes that are not UTF-8 become U+FFFD.
inline std::string one_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace mskb
