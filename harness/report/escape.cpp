#include "report/escape.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace mskb {

namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

Character next_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  Character character{byte(0), 1, byte(0) < 0x80};
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC2 ? 2 : 1;
  if (character.valid || bytes == 1 || byte(0) > 0xF4 || text.size() < bytes) {
    return character;
  }
  std::uint32_t code = byte(0) & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return character;
    }
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool shortest = code >= (bytes == 2 ? 0x80u : bytes == 3 ? 0x800u : 0x10000u);
  if (!shortest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    return character;
  }
  return {code, bytes, true};
}

bool must_be_written_out(std::uint32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code <= 0x9F) || code == 0xAD || code == 0x61C ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
         code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

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

std::string visible_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = next_character(text);
    if (!character.valid) {
      result += "\xEF\xBF\xBD";
    } else if (must_be_written_out(character.code)) {
      const bool end_of_line = character.code == '\r' && text.size() > 1 && text[1] == '\n';
      result += end_of_line ? "" : fmt::format("[U+{:04X}]", character.code);
    } else {
      result += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

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
