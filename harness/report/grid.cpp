#include "report/grid.hpp"

#include <algorithm>

#include "base/characters.hpp"
#include "report/escape.hpp"

namespace mskb {

namespace {

constexpr std::size_t page_width = 120;

// Bytes that begin a character of UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void Grid::row(const std::vector<std::string>& cells) {
  rows_.emplace_back();
  for (const std::string& cell : cells) {
    rows_.back().push_back(visible_text(cell));
  }
}

std::string Grid::render(Format format) const {
  switch (format) {
    case Format::markdown: return render_markdown();
    case Format::csv: return render_csv();
    case Format::latex: return render_latex();
    default: return render_text();
  }
}

std::string Grid::render_text() const {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = width_of(columns_[i].title);
    for (const auto& cells : rows_) {
      width = std::max(width, width_of(cells[i]));
    }
    widths.push_back(width);
    total += width;
  }
  const std::string gap(total + 2 * (columns_.size() - 1) > page_width ? 1 : 2, ' ');
  std::string text;
  const auto line = [&](const auto& cell_of) {
    std::string row;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string pad(widths[i] - width_of(cell), ' ');
      row.append(i == 0 ? "" : gap).append(columns_[i].right ? pad + cell : cell + pad);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  };
  line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
  for (const auto& cells : rows_) {
    line([&](std::size_t i) -> const std::string& { return cells[i]; });
  }
  return text;
}

std::string Grid::render_markdown() const {
  std::string text;
  const auto line = [&](const auto& cell_of) {
    text += '|';
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      text.append(" ").append(escape_markdown(cell_of(i))).append(" |");
    }
    text += '\n';
  };
  line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
  text += '|';
  for (const Column& column : columns_) {
    text += column.right ? "---:|" : "---|";
  }
  text += '\n';
  for (const auto& cells : rows_) {
    line([&](std::size_t i) -> const std::string& { return cells[i]; });
  }
  return text;
}

std::string Grid::render_csv() const {
  std::string text;
  const auto line = [&](const auto& cell_of) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      text.append(i == 0 ? "" : ",").append(csv_cell(cell_of(i)));
    }
    text += '\n';
  };
  line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
  for (const auto& cells : rows_) {
    line([&](std::size_t i) -> const std::string& { return cells[i]; });
  }
  return text;
}

std::string Grid::render_latex() const {
  std::string text = "\\begin{longtable}{";
  for (const Column& column : columns_) {
    text += column.right ? 'r' : 'l';
  }
  text += "}\n\\toprule\n";
  const auto line = [&](const auto& cell_of) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      text.append(i == 0 ? "" : " & ").append(escape_latex(cell_of(i)));
    }
    text += " \\\\\n";
  };
  line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
  text += "\\midrule\n\\endhead\n";
  for (const auto& cells : rows_) {
    line([&](std::size_t i) -> const std::string& { return cells[i]; });
  }
  return text + "\\bottomrule\n\\end{longtable}\n";
}

}  // namespace mskb
