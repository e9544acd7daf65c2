#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mskb {

// Bytes as they come, lines as they leave. Holds at most one line limit and one chunk beyond what was taken.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t line_limit) : line_limit_(line_limit) {}

  void add(std::string_view bytes) { bytes_.append(bytes); }
  // The next whole line, without its newline.
  std::optional<std::string> take();
  // The rest, when no newline follows any more.
  std::string take_rest();
  // Whether the next line is longer than the limit.
  bool too_long();
  std::size_t size() const { return bytes_.size() - start_; }
  std::string_view waiting() const { return std::string_view(bytes_).substr(start_); }

 private:
  std::size_t find_newline();

  std::size_t line_limit_;
  std::string bytes_;
  std::size_t start_ = 0, searched_ = 0;
};

}  // namespace mskb
