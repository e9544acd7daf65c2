#pragma once
#include <string>
#include <string_view>

// Texts of candidates, task authors and language models, made harmless where they are printed.
namespace mskb {

std::string escape_markdown(std::string_view text);  // of a table's cell
std::string escape_html(std::string_view text);      // of an element or of a quoted attribute
std::string escape_latex(std::string_view text);
std::string csv_cell(std::string_view text);         // quoted where it must be (RFC 4180)

}  // namespace mskb
