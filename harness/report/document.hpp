#pragma once
#include <string>

#include "report/grid.hpp"

namespace mskb {

// Titles, lines and tables one after the other, as text, markdown, LaTeX or CSV; lines and titles of CSV are comments that begin with "# ".
class Document {
 public:
  explicit Document(Format format) : format_(format) {}
  void title(const std::string& title);
  void line(const std::string& line);
  void grid(const Grid& grid) { text_ += grid.render(format_); }
  void gap();
  std::string take() { return std::move(text_); }

 private:
  Format format_;
  std::string text_;
};

}  // namespace mskb
