#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace mskb::keeper {

// Fills a message's text, cut to its size and ended with a zero.
template <std::size_t size>
void set_text(char (&to)[size], std::string_view text) {
  const std::size_t length = std::min(text.size(), size - 1);
  std::fill(std::copy_n(text.data(), length, to), to + size, '\0');
}

}  // namespace mskb::keeper
