#pragma once
#include <string>
#include <string_view>
#include <vector>

// Just enough of C++ to know what a source text defines.
namespace mskb::agents {

// The text with comments and the contents of literals replaced by spaces, every other character where it was. "C" stays, for extern "C".
std::string without_comments(std::string_view code);

// Every {, ( and [ is closed, in order; on text from without_comments.
bool is_balanced(std::string_view bare);

// Whether a function of that name is defined (not only declared or called); on text from without_comments.
bool defines_function(std::string_view bare, const std::string& name);

// Names of the functions with C linkage that are defined, in order; on text from without_comments.
std::vector<std::string> c_functions(std::string_view bare);

std::string rename_identifier(const std::string& code, const std::string& from, const std::string& to);

}  // namespace mskb::agents
