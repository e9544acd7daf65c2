#include "common/server_events.hpp"

namespace mskb::agents {

void ServerEvents::feed(std::string_view bytes) {
  rest_.append(bytes);
  std::size_t at = 0;
  for (std::size_t end = 0; (end = rest_.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string_view text = std::string_view(rest_).substr(at, end - at);
    if (text.ends_with('\r')) {
      text.remove_suffix(1);
    }
    line(text);
  }
  rest_.erase(0, at);
}

void ServerEvents::line(std::string_view text) {
  if (text.empty()) {
    if (has_data_) {
      receiver_(event_, data_);
    }
    event_.clear();
    data_.clear();
    has_data_ = false;
    return;
  }
  const std::size_t colon = text.find(':');
  const std::string_view field = text.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (value.starts_with(' ')) {
    value.remove_prefix(1);
  }
  if (field == "event") {
    event_ = value;
  } else if (field == "data") {
    data_ += (has_data_ ? "\n" : "");
    data_ += value;
    has_data_ = true;
  }
}

}  // namespace mskb::agents
