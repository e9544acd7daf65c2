#include "simt/kernel_table.hpp"

#include <algorithm>

namespace mskb::simt {
namespace {

struct TemplateHeader {
  bool present = false;
  bool has_pack = false;
  std::size_t required = 0;
};

// Calls `visit(begin, end)` for each argument between `open` and `close`.
template <class Visit>
void for_each_argument(const std::vector<Token>& tokens, std::size_t open, std::size_t close, Visit visit) {
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= close; ++i) {
    if (i == close || tokens[i].is(",")) {
      if (i > begin) visit(begin, i);
      begin = i + 1;
    } else if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) {
      i = std::min(closing(tokens, i), close - 1);
    } else if (tokens[i].is("<")) {
      const auto end = closing_angle(tokens, i);
      if (end < close) i = end;
    }
  }
}

bool has_token(const std::vector<Token>& tokens, std::size_t begin, std::size_t end, std::string_view text) {
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](const Token& token) { return token.is(text); });
}

TemplateHeader read_header(const std::vector<Token>& tokens, std::size_t open, std::size_t close) {
  TemplateHeader header{true, false, 0};
  for_each_argument(tokens, open, close, [&](std::size_t begin, std::size_t end) {
    int dots = 0;
    for (std::size_t i = begin; i < end; ++i) dots += tokens[i].is(".");
    if (dots >= 3) header.has_pack = true;
    if (dots < 3 && !has_token(tokens, begin, end, "=")) ++header.required;
  });
  return header;
}

// The parenthesis that opens the parameter list of the kernel whose `__global__` is at `at`.
std::size_t parameter_list(const std::vector<Token>& tokens, std::size_t at) {
  for (std::size_t i = at + 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].is(";") || tokens[i].is("{")) break;
    if (!tokens[i + 1].is("(") || !tokens[i].name()) continue;
    const auto name = tokens[i].text;
    if (name == "__launch_bounds__" || name == "__attribute__" || name == "alignas" || name == "__align__" ||
        name == "__cluster_dims__" || name == "__maxnreg__" || name == "decltype" || name == "__declspec") {
      i = closing(tokens, i + 1);
      continue;
    }
    return i + 1;
  }
  return tokens.size();
}

void scan(const std::vector<Token>& tokens, KernelTable& table) {
  TemplateHeader header;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is(";") || tokens[i].is("{") || tokens[i].is("}")) header = {};
    if (tokens[i].is("template") && i + 1 < tokens.size() && tokens[i + 1].is("<")) {
      const auto close = closing_angle(tokens, i + 1);
      if (close == tokens.size()) continue;
      if (close > i + 2) header = read_header(tokens, i + 1, close);
      i = close;
      continue;
    }
    if (!tokens[i].is("__global__")) continue;
    const auto open = parameter_list(tokens, i);
    if (open >= tokens.size()) continue;
    const auto close = closing(tokens, open);
    if (close >= tokens.size()) continue;
    auto& kernel = table.kernels[std::string(tokens[open - 1].text)];
    std::string list = header.present ? "template " : "";
    for (std::size_t j = open + 1; j < close; ++j) list += std::string(tokens[j].text) + ' ';
    kernel.parameter_lists.insert(list);
    kernel.is_template |= header.present;
    kernel.has_pack |= header.has_pack;
    kernel.has_default_argument |= has_token(tokens, open, close, "=");
    kernel.required_template_arguments = std::max(kernel.required_template_arguments, header.required);
    i = close;
    header = {};
  }
}

}  // namespace

std::size_t count_arguments(const std::vector<Token>& tokens, std::size_t open, std::size_t close) {
  std::size_t count = 0;
  for_each_argument(tokens, open, close, [&](std::size_t, std::size_t) { ++count; });
  return count;
}

KernelTable find_kernels(const std::vector<TokenStream>& streams) {
  KernelTable table;
  for (const auto& stream : streams) {
    scan(stream.tokens, table);
    const auto& tokens = stream.tokens;
    const bool own_header =
        stream.directive && tokens.size() > 1 && tokens[0].is("include") && tokens[1].kind == TokenKind::string;
    if (own_header) table.complete = false;
  }
  return table;
}

}  // namespace mskb::simt
