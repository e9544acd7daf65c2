#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mskb {

struct Character {
  std::uint32_t code = 0;  // of the byte alone where it begins no valid character
  std::size_t bytes = 1;
  bool valid = false;
};

// The first character of a text in UTF-8 that is not empty.
Character next_character(std::string_view text);

// As many characters as there are of the first `count`; a byte that is not valid counts as one.
std::string_view first_characters(std::string_view text, std::size_t count);

// Whether it steers a terminal or the direction of text, or cannot be seen. Newlines and tabulators do not.
bool cannot_be_shown(std::uint32_t code);

// Valid UTF-8 in which characters that steer a terminal or the direction of text, or that cannot be seen, are written out as [U+202E].
// Newlines and tabulators stay.
std::string visible_text(std::string_view text);

// The same on one line: spaces in place of newlines and tabulators.
std::string visible_line(std::string text);

}  // namespace mskb
