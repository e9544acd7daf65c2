#pragma once
#include <string>
#include <vector>

#include "report/format.hpp"

namespace mskb {

// A table of texts with aligned columns.
class Grid {
 public:
  struct Column {
    std::string title;
    bool right = false;  // figures
  };

  explicit Grid(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // Text or markdown. Text: two spaces between columns, one where the table would not fit into 120 columns otherwise.
  std::string render(Format format) const;

 private:
  std::string render_text() const;
  std::string render_markdown() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mskb
