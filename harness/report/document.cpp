#include "report/document.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/characters.hpp"
#include "report/escape.hpp"

namespace mskb {

namespace {

// A comment is one line, whatever stands in it.
std::string comment(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return fmt::format("# {}\n", text);
}

}  // namespace

void Document::title(const std::string& title) {
  const std::string shown = visible_text(title);
  const char* before = text_.empty() ? "" : "\n";
  switch (format_) {
    case Format::markdown: text_ += fmt::format("{}## {}\n\n", before, shown); break;
    case Format::latex: text_ += fmt::format("{}\\subsection*{{{}}}\n", before, escape_latex(shown)); break;
    case Format::csv: text_ += comment(shown); break;
    default: text_ += fmt::format("{}{}\n", before, shown);
  }
}

void Document::line(const std::string& line) {
  const std::string shown = visible_text(line);
  switch (format_) {
    case Format::markdown: text_ += fmt::format("* {}\n", shown); break;
    case Format::latex: text_ += fmt::format("\\noindent {}\\par\n", escape_latex(shown)); break;
    case Format::csv: text_ += comment(shown); break;
    default: text_ += fmt::format("{}\n", shown);
  }
}

void Document::gap() {
  if (format_ != Format::csv) {
    text_ += "\n";
  }
}

}  // namespace mskb
