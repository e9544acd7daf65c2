#include "model/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mskb {

namespace {

bool is_name(const std::string& word) {
  return is_word(word) && !reserved_words().contains(word) && !word.starts_with("mskb") && !word.starts_with("MSKB");
}

constexpr const char* mend =
    "write at most 64 letters, digits and _, not beginning with a digit or mskb, and no word of C++ or of the harness";

}  // namespace

bool is_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && text.size() <= 64 && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

const std::set<std::string>& reserved_words() {
  static const std::set<std::string> words{
      "alignas",  "alignof",   "and",      "and_eq",    "asm",       "auto",       "bitand",        "bitor",        "bool",
      "break",    "case",      "catch",    "char",      "char16_t",  "char32_t",   "char8_t",       "class",        "co_await",
      "co_return", "co_yield", "compl",    "concept",   "const",     "const_cast", "consteval",     "constexpr",    "constinit",
      "continue", "decltype",  "default",  "delete",    "do",        "double",     "dynamic_cast",  "else",         "enum",
      "explicit", "export",    "extern",   "false",     "float",     "for",        "friend",        "goto",         "if",
      "inline",   "int",       "long",     "main",      "mutable",   "namespace",  "new",           "noexcept",     "not",
      "not_eq",   "nullptr",   "operator", "or",        "or_eq",     "private",    "protected",     "public",       "register",
      "reinterpret_cast",      "requires", "restrict",  "return",    "short",      "signed",        "sizeof",       "static",
      "static_assert",         "static_cast",           "struct",    "switch",     "template",      "this",         "thread_local",
      "throw",    "true",      "try",      "typedef",   "typeid",    "typename",   "union",         "unsigned",     "using",
      "virtual",  "void",      "volatile", "wchar_t",   "while",     "xor",        "xor_eq",
      "Case",     "outputs",   "stages",   "std"};
  return words;
}

std::string fault_of_task_name(const std::string& name) {
  if (!is_name(name)) {
    return fmt::format("'{}' cannot be the name of a task, because the entry point is a C function of that name; {}", name, mend);
  }
  for (const char* ending : entry_endings) {
    if (name.ends_with(ending)) {
      return fmt::format("'{}' cannot be the name of a task, because entry points of other tasks end in {}; choose another name", name,
                         ending);
    }
  }
  return "";
}

std::string fault_of_variable_name(const std::string& name) {
  return is_name(name) ? ""
                       : fmt::format("'{}' cannot be the name of a dim or an argument, because the oracle has a variable of that name; {}",
                                     name, mend);
}

std::string fault_of_dim_name(const std::string& name) {
  if (std::find(expression_words.begin(), expression_words.end(), std::string_view(name)) != expression_words.end()) {
    return fmt::format("'{}' cannot be the name of a dim, because it has a meaning in expressions; choose another name", name);
  }
  return fault_of_variable_name(name);
}

}  // namespace mskb
