#pragma once
#include <string>
#include <string_view>

// Texts of candidates, task authors and language models, made harmless where they are printed.
namespace mskb {

// Valid UTF-8 in which characters that steer a terminal or the direction of text, or that cannot be seen, are written out as [U+202E].
// Newlines and tabulators stay.
std::string visible_text(std::string_view text);

std::string escape_markdown(std::string_view text);  // of a table's cell
std::string escape_html(std::string_view text);      // of an element or of a quoted attribute
std::string escape_latex(std::string_view text);
std::string csv_cell(std::string_view text);         // quoted where it must be (RFC 4180)

}  // namespace mskb
