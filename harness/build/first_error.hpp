#pragma once
#include <string>
#include <string_view>

namespace mskb {

// The first line with which a compiler or linker says that something is wrong, fit for one line of a record
// (display_line); else its first line; empty when it said nothing.
std::string first_error(std::string_view output);

// Bytes that are not UTF-8 become U+FFFD, control characters spaces; cut to about `limit` bytes.
std::string display_line(std::string_view bytes, std::size_t limit = 400);

}  // namespace mskb
