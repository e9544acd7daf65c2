#pragma once
#include <string>
#include <string_view>

namespace mskb {

// Each `from`, from left to right; none where `from` is empty.
inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = from.empty() ? std::string::npos : text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace mskb
