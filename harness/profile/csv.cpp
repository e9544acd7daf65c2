#include "profile/csv.hpp"

#include "base/errors.hpp"

namespace mskb {

std::vector<std::vector<std::string>> parse_csv(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool quoted = false, empty = true;
  const auto end_row = [&] {
    if (!empty) {
      rows.push_back(row);
    }
    row.assign(1, "");
    empty = true;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        row.back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        row.back() += c;
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      empty = false;
      if (c == '"') {
        quoted = true;
      } else if (c == ',') {
        row.emplace_back();
      } else {
        row.back() += c;
      }
    }
  }
  if (quoted) {
    throw InputError("CSV text: the last quote is not closed; it was cut off, write it again");
  }
  end_row();
  return rows;
}

}  // namespace mskb
