#include "common/code_text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

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

// A name and the bracket that follows it, perhaps behind space. Scanned by hand: std::regex recurses for each character of a text that it did not choose.
struct Called {
  std::size_t begin, end, open;
};

std::optional<Called> next_called(std::string_view bare, std::size_t from) {
  for (std::size_t open = bare.find('(', from); open != std::string_view::npos; open = bare.find('(', open + 1)) {
    std::size_t end = open;
    while (end > from && std::isspace(static_cast<unsigned char>(bare[end - 1])) != 0) {
      --end;
    }
    std::size_t begin = end;
    while (begin > from && is_word(bare[begin - 1])) {
      --begin;
    }
    while (begin < end && std::isdigit(static_cast<unsigned char>(bare[begin])) != 0) {
      ++begin;
    }
    if (begin < end) {
      return Called{begin, end, open};
    }
  }
  return std::nullopt;
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
  // The first name of [from, to) that is followed by a parameter list and a body, skipping bodies in between.
  const auto collect = [&](std::size_t from, std::size_t to, bool only_first) {
    for (std::size_t at = from; at < to; ++at) {
      const std::optional<Called> found = next_called(bare.substr(0, to), at);
      if (!found) {
        return;
      }
      const std::size_t parameters_end = after_closing(bare, found->open);
      if (parameters_end == std::string_view::npos) {
        return;
      }
      at = parameters_end;
      if (is_definition(bare, found->end)) {
        const std::string_view before = bare.substr(from, found->begin - from);
        const std::size_t start = before.find_last_of(";}");
        if (before.substr(start == std::string_view::npos ? 0 : start).find("__global__") == std::string_view::npos) {
          names.emplace_back(bare.substr(found->begin, found->end - found->begin));
        }
        at = after_closing(bare, bare.find('{', parameters_end));
      }
      if (only_first || at == std::string_view::npos) {
        return;
      }
    }
  };
  constexpr std::string_view keyword = "extern", linkage = "\"C\"";
  for (std::size_t at = bare.find(keyword); at != std::string_view::npos; at = bare.find(keyword, at + 1)) {
    const std::size_t quoted = skip_space(bare, at + keyword.size());
    if (quoted == at + keyword.size() || !bare.substr(quoted).starts_with(linkage)) {
      continue;
    }
    const std::size_t after = skip_space(bare, quoted + linkage.size());
    if (after < bare.size() && bare[after] == '{') {
      collect(after + 1, std::min(after_closing(bare, after), bare.size()), false);
    } else {
      collect(after, bare.size(), true);
    }
  }
  return names;
}

std::string rename_identifier(const std::string& code, const std::string& from, const std::string& to) {
  std::string renamed;
  std::size_t copied = 0;
  for (std::size_t at = code.find(from); at != std::string::npos; at = code.find(from, at + 1)) {
    const std::size_t end = at + from.size();
    if ((at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]))) {
      renamed.append(code, copied, at - copied).append(to);
      copied = end;
    }
  }
  return renamed.append(code, copied);
}

}  // namespace mskb::agents
