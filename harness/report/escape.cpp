#include "report/escape.hpp"

namespace mskb {

namespace {

template <class Replacement>
std::string replaced(std::string_view text, const Replacement& replacement) {
  std::string result;
  for (const char c : text) {
    const std::string_view other = replacement(c);
    other.empty() ? result.push_back(c) : static_cast<void>(result.append(other));
  }
  return result;
}

}  // namespace

std::string escape_markdown(std::string_view text) {
  return replaced(text, [](char c) -> std::string_view {
    switch (c) {
      case '|': return "\\|";
      case '*': return "\\*";
      case '_': return "\\_";
      case '\\': return "\\\\";
      case '<': return "\\<";
      case '\n': return " ";
      default: return {};
    }
  });
}

std::string escape_html(std::string_view text) {
  return replaced(text, [](char c) -> std::string_view {
    switch (c) {
      case '&': return "&amp;";
      case '<': return "&lt;";
      case '>': return "&gt;";
      case '"': return "&quot;";
      case '\'': return "&#39;";
      default: return {};
    }
  });
}

std::string escape_latex(std::string_view text) {
  return replaced(text, [](char c) -> std::string_view {
    switch (c) {
      case '\\': return "\\textbackslash{}";
      case '{': return "\\{";
      case '}': return "\\}";
      case '$': return "\\$";
      case '&': return "\\&";
      case '%': return "\\%";
      case '#': return "\\#";
      case '_': return "\\_";
      case '~': return "\\textasciitilde{}";
      case '^': return "\\textasciicircum{}";
      case '<': return "\\textless{}";
      case '>': return "\\textgreater{}";
      case '"': return "\\textquotedbl{}";
      case '\n': return " ";
      default: return {};
    }
  });
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && (text.empty() || text.front() != '#')) {
    return std::string(text);
  }
  std::string cell = "\"";
  for (const char c : text) {
    cell.append(c == '"' ? 2 : 1, c);
  }
  return cell + "\"";
}

}  // namespace mskb
