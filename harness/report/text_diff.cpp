#include "report/text_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace mskb {

namespace {

constexpr std::size_t context = 3, affordable = 4'000'000;

using Lines = std::vector<std::string_view>;

struct Edit {
  char sign;
  std::string_view text;
};

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The middle of both texts, between what they share at both ends, by their longest common subsequence.
void add_middle(std::vector<Edit>& edits, const Lines& a, const Lines& b) {
  const std::size_t rows = a.size(), columns = b.size();
  std::vector<std::uint32_t> length;
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return length[i * (columns + 1) + j]; };
  const bool compared = (rows + 1) * (columns + 1) <= affordable;
  if (compared) {
    length.assign((rows + 1) * (columns + 1), 0);
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  std::size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (compared && i < rows && j < columns && a[i] == b[j]) {
      edits.push_back({' ', a[i]});
      ++i, ++j;
    } else if (i < rows && (j == columns || !compared || at(i + 1, j) >= at(i, j + 1))) {
      edits.push_back({'-', a[i++]});
    } else {
      edits.push_back({'+', b[j++]});
    }
  }
}

std::string hunks(const std::vector<Edit>& edits) {
  std::vector<bool> shown(edits.size(), false);
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].sign != ' ') {
      for (std::size_t k = i > context ? i - context : 0; k < std::min(edits.size(), i + context + 1); ++k) {
        shown[k] = true;
      }
    }
  }
  std::string text;
  std::size_t line_a = 1, line_b = 1;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (shown[i] && (i == 0 || !shown[i - 1])) {
      text += fmt::format("@@ -{} +{} @@\n", line_a, line_b);
    }
    if (shown[i]) {
      text.append(1, edits[i].sign).append(edits[i].text).append("\n");
    }
    line_a += edits[i].sign != '+';
    line_b += edits[i].sign != '-';
  }
  return text;
}

}  // namespace

std::string text_diff(std::string_view before, std::string_view after) {
  if (before == after) {
    return "";
  }
  Lines a = lines_of(before), b = lines_of(after);
  std::vector<Edit> edits;
  std::size_t start = 0, end = 0;
  while (start < std::min(a.size(), b.size()) && a[start] == b[start]) {
    edits.push_back({' ', a[start++]});
  }
  while (end < std::min(a.size(), b.size()) - start && a[a.size() - 1 - end] == b[b.size() - 1 - end]) {
    ++end;
  }
  const auto middle = [&](const Lines& lines) {
    return Lines(lines.begin() + static_cast<std::ptrdiff_t>(start), lines.end() - static_cast<std::ptrdiff_t>(end));
  };
  add_middle(edits, middle(a), middle(b));
  for (std::size_t i = a.size() - end; i < a.size(); ++i) {
    edits.push_back({' ', a[i]});
  }
  return hunks(edits);
}

}  // namespace mskb
