#include "optimize/line_buffer.hpp"

#include <algorithm>

namespace mskb {

std::size_t LineBuffer::find_newline() {
  const std::size_t found = bytes_.find('\n', std::max(start_, searched_));
  searched_ = found == std::string::npos ? bytes_.size() : found;
  return found;
}

std::optional<std::string> LineBuffer::take() {
  const std::size_t end = find_newline();
  if (end == std::string::npos) {
    return std::nullopt;
  }
  std::string line = bytes_.substr(start_, end - start_);
  start_ = end + 1;
  if (start_ > bytes_.size() / 2) {
    bytes_.erase(0, start_);
    start_ = searched_ = 0;
  }
  if (line.ends_with('\r')) {
    line.pop_back();
  }
  return line;
}

std::string LineBuffer::take_rest() {
  std::string rest = bytes_.substr(start_);
  bytes_.clear();
  start_ = searched_ = 0;
  return rest;
}

bool LineBuffer::too_long() {
  const std::size_t end = find_newline();
  return (end == std::string::npos ? bytes_.size() : end) - start_ > line_limit_;
}

}  // namespace mskb
