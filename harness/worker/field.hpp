#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace mskb::worker {

// Fills a message's text field, cut at the end.
template <std::size_t N>
void set_field(char (&field)[N], std::string_view text) {
  const std::size_t length = std::min(text.size(), N - 1);
  std::copy_n(text.data(), length, field);
  std::fill(field + length, field + N, '\0');
}

}  // namespace mskb::worker
