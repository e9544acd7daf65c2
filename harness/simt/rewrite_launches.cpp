#include <string>

#include "simt/rewrite.hpp"
#include "simt/translate.hpp"

namespace mskb::simt {
namespace {

using Tokens = std::vector<Token>;

// First token, not before `lowest`, of the expression that names the kernel and ends at `last`.
std::size_t kernel_begin(const Tokens& tokens, std::size_t last, std::size_t lowest) {
  std::size_t i = last;
  for (;;) {
    // One segment, read backwards: an identifier with template arguments, calls or subscripts behind it.
    while (tokens[i].is(")") || tokens[i].is("]")) {
      const auto open = opening(tokens, i);
      if (open == tokens.size()) throw TranslateError(tokens[i].line, "unbalanced brackets before <<<");
      const bool postfix =
          open > 0 && (tokens[open].is("[") || (tokens[open - 1].name() && !is_keyword(tokens[open - 1].text)) ||
                       tokens[open - 1].is(">") || tokens[open - 1].is("]"));
      if (!postfix) return open;
      i = open - 1;
    }
    if (tokens[i].is(">")) {
      const auto open = opening_angle(tokens, i);
      if (open == tokens.size() || open == 0)
        throw TranslateError(tokens[i].line, "cannot find the kernel's template arguments before <<<");
      i = open - 1;
    }
    if (!tokens[i].name() || is_keyword(tokens[i].text)) throw TranslateError(tokens[i].line, "no kernel before <<<");
    if (i > 0 && tokens[i - 1].is("template")) --i;
    if (i <= lowest) return i;
    if (tokens[i - 1].is("::")) {
      --i;
      const bool scoped =
          i > lowest && ((tokens[i - 1].name() && !is_keyword(tokens[i - 1].text)) || tokens[i - 1].is(">"));
      if (!scoped) return i;
      --i;
    } else if ((tokens[i - 1].is(".") || tokens[i - 1].is("->")) && i >= 2) {
      i -= 2;
    } else {
      return i;
    }
  }
}

// Whether the kernel's arguments must be passed to a call of the kernel for overload resolution, template deduction or
// default arguments to happen. Otherwise its address is taken, and arguments convert to its parameter types.
bool needs_deduction(const TokenStream& stream, const KernelTable& table, std::size_t begin, std::size_t last) {
  const auto& tokens = stream.tokens;
  std::size_t name = last;
  std::size_t explicit_arguments = 0;
  if (tokens[last].is(">")) {
    const auto open = opening_angle(tokens, last);
    explicit_arguments = count_arguments(tokens, open, last);
    name = open - 1;
  }
  if (name < begin || !tokens[name].name()) return false;
  const auto found = table.kernels.find(tokens[name].text);
  if (found == table.kernels.end()) return stream.directive || !table.complete;
  const auto& kernel = found->second;
  if (kernel.has_default_argument || kernel.parameter_lists.size() > 1) return true;
  return kernel.is_template && (kernel.has_pack || explicit_arguments < kernel.required_template_arguments);
}

std::string quoted(const Tokens& tokens, std::size_t begin, std::size_t last) {
  std::string text = "\"";
  for (std::size_t i = begin; i <= last; ++i) {
    for (const char c : tokens[i].text) {
      if (c == '"' || c == '\\') text += '\\';
      if (c != '\n' && c != '\r') text += c;
    }
    if (tokens[i].is(",") || (i < last && tokens[i].name() && tokens[i + 1].name())) text += ' ';
  }
  return text + "\"";
}

std::size_t configuration_end(const Tokens& tokens, std::size_t begin) {
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) {
      i = closing(tokens, i);
    } else if (is_triple(tokens, i, '>')) {
      return i;
    } else if (tokens[i].is(")") || tokens[i].is("]") || tokens[i].is("}") || tokens[i].is(";")) {
      break;
    }
  }
  return tokens.size();
}

}  // namespace

void rewrite_launches(const TokenStream& stream, const KernelTable& kernels, Edits& edits) {
  const auto& tokens = stream.tokens;
  const std::size_t lowest = stream.directive ? 2 : 0;  // `define` and the macro's name are not part of its body
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!is_triple(tokens, i, '<')) continue;
    const int line = tokens[i].line;
    if (i <= lowest) throw TranslateError(line, "no kernel before <<< (is the launch split over several macros?)");
    if (tokens[i - 1].is("operator")) continue;
    const auto end = configuration_end(tokens, i + 3);
    if (end == tokens.size())
      throw TranslateError(line, "no >>> closes this <<< (is the launch split over several macros?)");
    if (end + 3 >= tokens.size() || !tokens[end + 3].is("(")) {
      throw TranslateError(line, "no argument list follows >>> (is the launch split over several macros?)");
    }
    const auto begin = kernel_begin(tokens, i - 1, lowest);
    const auto name = quoted(tokens, begin, i - 1);
    if (needs_deduction(stream, kernels, begin, i - 1)) {
      edits.insert(tokens[begin].offset, " ::mskb_simt::launch_call( " + name + " , [&](auto&... mskb_arguments) { ");
      edits.replace(tokens[i].offset, tokens[i].offset + 3, " ( mskb_arguments... ); } )( ");
    } else {
      edits.insert(tokens[begin].offset, " ::mskb_simt::launch( " + name + " , ");
      edits.replace(tokens[i].offset, tokens[i].offset + 3, " )( ");
    }
    edits.replace(tokens[end].offset, tokens[end].offset + 3, " ) ");
    i += 2;
  }
}

}  // namespace mskb::simt
