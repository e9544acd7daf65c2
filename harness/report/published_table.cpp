#include "report/published_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/files.hpp"

namespace mskb {

namespace {

// Cells of one line; a quoted one may hold commas and doubled quotes, but no newline.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

}  // namespace

std::vector<std::map<std::string, std::string>> PublishedTable::where(const std::map<std::string, std::string>& values) const {
  std::vector<std::map<std::string, std::string>> found;
  for (const auto& row : rows) {
    if (std::all_of(values.begin(), values.end(), [&](const auto& value) {
          const auto cell = row.find(value.first);
          return cell != row.end() && cell->second == value.second;
        })) {
      found.push_back(row);
    }
  }
  return found;
}

PublishedTable read_published_table(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  PublishedTable table;
  std::vector<std::string> columns;
  int number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    if (number == 1) {
      if (!line.starts_with("# ")) {
        throw InputError(file.string() + ":1: no source; the first line is a comment that names it");
      }
      table.source = line.substr(2);
    } else if (number == 2) {
      columns = cells_of(line);
    } else if (!line.empty()) {
      const std::vector<std::string> cells = cells_of(line);
      if (cells.size() != columns.size()) {
        throw InputError(fmt::format("{}:{}: {} cells in a table of {} columns", file.string(), number, cells.size(), columns.size()));
      }
      auto& row = table.rows.emplace_back();
      for (std::size_t i = 0; i < cells.size(); ++i) {
        row[columns[i]] = cells[i];
      }
    }
  }
  return table;
}

}  // namespace mskb
