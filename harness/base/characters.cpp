#include "base/characters.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mskb {

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

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count) {
    end += next_character(text.substr(end)).bytes;
  }
  return text.substr(0, end);
}

bool cannot_be_shown(std::uint32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code <= 0x9F) || code == 0xAD || code == 0x61C ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
         code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

std::string visible_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character character = next_character(text);
    if (!character.valid) {
      result += "\xEF\xBF\xBD";
    } else if (cannot_be_shown(character.code)) {
      const bool end_of_line = character.code == '\r' && text.size() > 1 && text[1] == '\n';
      result += end_of_line ? "" : fmt::format("[U+{:04X}]", character.code);
    } else {
      result += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string visible_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return visible_text(text);
}

}  // namespace mskb
