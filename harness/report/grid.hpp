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
  void row(const std::vector<std::string>& cells);  // shown as visible_text
  bool empty() const { return rows_.empty(); }
  // Text, markdown, CSV (a line of titles, a line per row) or a LaTeX longtable (packages booktabs and longtable). Text: two spaces between
  // columns, one where the table would not fit into 120 columns otherwise.
  std::string render(Format format) const;

 private:
  std::string render_text() const;
  std::string render_markdown() const;
  std::string render_csv() const;
  std::string render_latex() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mskb
