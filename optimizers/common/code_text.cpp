#include "common/code_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace mskb::agents {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) {
    ++at;
  }
  return at;
}

// The position after the bracket that closes the one at `open`; npos when none does.
std::size_t after_closing(std::string_view bare, std::size_t open) {
  const char opening = bare[open];
  const char closing = opening == '(' ? ')' : '}';
  int depth = 0;
  for (std::size_t at = open; at < bare.size(); ++at) {
    depth += bare[at] == opening ? 1 : bare[at] == closing ? -1 : 0;
    if (depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

// `name` at `at` is followed by a parameter list and a body.
bool is_definition(std::string_view bare, std::size_t after_name) {
  std::size_t at = skip_space(bare, after_name);
  if (at >= bare.size() || bare[at] != '(') {
    return false;
  }
  at = after_closing(bare, at);
  if (at == std::string_view::npos) {
    return false;
  }
  at = skip_space(bare, at);
  if (bare.substr(at).starts_with("noexcept")) {
    at = skip_space(bare, at + 8);
  }
  return at < bare.size() && bare[at] == '{';
}

// The end of the literal that starts with the quote at `at`.
std::size_t literal_end(std::string_view code, std::size_t at) {
  if (code[at] == '"' && at > 0 && code[at - 1] == 'R') {
    const std::size_t open = code.find('(', at);
    if (open != std::string_view::npos) {
      const std::string close = ")" + std::string(code.substr(at + 1, open - at - 1)) + "\"";
      const std::size_t end = code.find(close, open);
      return end == std::string_view::npos ? code.size() : end + close.size();
    }
  }
  std::size_t end = at + 1;
  while (end < code.size() && code[end] != code[at] && code[end] != '\n') {
    end += code[end] == '\\' ? 2 : 1;
  }
  return std::min(end + 1, code.size());
}

}  // namespace

std::string without_comments(std::string_view code) {
  std::string bare(code);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, bare.size()); ++i) {
      bare[i] = bare[i] == '\n' ? '\n' : ' ';
    }
  };
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at + 1;
    if (code.substr(at).starts_with("//")) {
      end = std::min(code.find('\n', at), code.size());
      blank(at, end);
    } else if (code.substr(at).starts_with("/*")) {
      const std::size_t close = code.find("*/", at + 2);
      end = close == std::string_view::npos ? code.size() : close + 2;
      blank(at, end);
    } else if (code[at] == '"' || (code[at] == '\'' && (at == 0 || !is_word(code[at - 1])))) {
      end = literal_end(code, at);
      if (code.substr(at, end - at) != "\"C\"") {
        blank(at + 1, end - 1);
      }
    }
    at = end;
  }
  return bare;
}

bool is_balanced(std::string_view bare) {
  std::string open;
  for (const char c : bare) {
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(c);
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != (c == ')' ? '(' : c == ']' ? '[' : '{')) {
        return false;
      }
      open.pop_back();
    }
  }
  return open.empty();
}

bool defines_function(std::string_view bare, const std::string& name) {
  for (std::size_t at = bare.find(name); at != std::string_view::npos; at = bare.find(name, at + 1)) {
    if ((at == 0 || !is_word(bare[at - 1])) && is_definition(bare, at + name.size())) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> c_functions(std::string_view bare) {
  std::vector<std::string> names;
  static const std::regex linkage(R"re(extern\s+"C"\s*)re");
  static const std::regex named(R"(([A-Za-z_]\w*)\s*\()");
  // The first name of [from, to) that is followed by a parameter list and a body, skipping bodies in between.
  const auto collect = [&](std::size_t from, std::size_t to, bool only_first) {
    for (std::size_t at = from; at < to; ++at) {
      std::match_results<std::string_view::const_iterator> match;
      const auto begin = bare.begin() + static_cast<std::ptrdiff_t>(at);
      if (!std::regex_search(begin, bare.begin() + static_cast<std::ptrdiff_t>(to), match, named)) {
        return;
      }
      const std::size_t name_at = at + static_cast<std::size_t>(match.position(1));
      const std::size_t after_name = name_at + static_cast<std::size_t>(match.length(1));
      const std::size_t parameters_end = after_closing(bare, bare.find('(', after_name));
      if (parameters_end == std::string_view::npos) {
        return;
      }
      at = parameters_end;
      if (is_definition(bare, after_name)) {
        const std::string_view before = bare.substr(from, name_at - from);
        const std::size_t start = before.find_last_of(";}");
        if (before.substr(start == std::string_view::npos ? 0 : start).find("__global__") == std::string_view::npos) {
          names.push_back(match[1].str());
        }
        at = after_closing(bare, bare.find('{', parameters_end));
      }
      if (only_first || at == std::string_view::npos) {
        return;
      }
    }
  };
  for (auto match = std::regex_iterator<std::string_view::const_iterator>(bare.begin(), bare.end(), linkage);
       match != std::regex_iterator<std::string_view::const_iterator>(); ++match) {
    const std::size_t after = static_cast<std::size_t>(match->position() + match->length());
    if (after < bare.size() && bare[after] == '{') {
      collect(after + 1, std::min(after_closing(bare, after), bare.size()), false);
    } else {
      collect(after, bare.size(), true);
    }
  }
  return names;
}

std::string rename_identifier(const std::string& code, const std::string& from, const std::string& to) {
  return std::regex_replace(code, std::regex("\\b" + from + "\\b"), to);
}

}  // namespace mskb::agents
