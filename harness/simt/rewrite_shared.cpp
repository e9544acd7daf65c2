#include <string>
#include <vector>

#include "simt/rewrite.hpp"
#include "simt/translate.hpp"

namespace mskb::simt {
namespace {

using Tokens = std::vector<Token>;

bool takes_parenthesis(std::string_view word) {
  return word == "__align__" || word == "alignas" || word == "__attribute__" || word == "decltype";
}

// First token, not before `lowest`, of the declaration that holds the `__shared__` at `at`.
std::size_t declaration_begin(const Tokens& tokens, std::size_t at, std::size_t lowest) {
  std::size_t i = at;
  while (i > lowest) {
    const Token& before = tokens[i - 1];
    if (before.name()) {
      if (is_keyword(before.text) && !before.is("typename") && !before.is("template")) break;
      --i;
    } else if (before.is("::")) {
      --i;
    } else if (before.is(">")) {
      const auto open = opening_angle(tokens, i - 1);
      if (open == tokens.size() || open == 0 || tokens[open - 1].is("template")) break;
      i = open;
    } else if (before.is(")")) {
      const auto open = opening(tokens, i - 1);
      if (open == tokens.size() || open == 0 || !takes_parenthesis(tokens[open - 1].text)) break;
      i = open - 1;
    } else {
      break;
    }
  }
  return i;
}

struct Declaration {
  std::size_t begin = 0, end = 0;  // end: the `;`
  bool external = false;
  std::vector<std::size_t> names;                       // the declared identifiers
  std::vector<std::size_t> dropped_begin, dropped_end;  // token ranges that do not belong into a typedef
};

Declaration read_declaration(const Tokens& tokens, std::size_t at, std::size_t lowest) {
  Declaration declaration;
  declaration.begin = declaration_begin(tokens, at, lowest);
  const int line = tokens[at].line;
  std::size_t name = tokens.size();
  const auto take_name = [&] {
    if (name == tokens.size()) throw TranslateError(line, "cannot read this __shared__ declaration");
    declaration.names.push_back(name);
    name = tokens.size();
  };
  bool named = false;  // the declarator's name has been read
  for (std::size_t i = declaration.begin; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is("static") || token.is("__shared__") || token.is("extern") || token.is("__device__")) {
      declaration.external |= token.is("extern");
      declaration.dropped_begin.push_back(i);
      declaration.dropped_end.push_back(i);
    } else if (token.name() && takes_parenthesis(token.text) && i + 1 < tokens.size() && tokens[i + 1].is("(")) {
      const auto close = closing(tokens, i + 1);
      if (!token.is("decltype")) {
        declaration.dropped_begin.push_back(i);
        declaration.dropped_end.push_back(close);
      }
      i = close;
    } else if (token.name()) {
      if (!named) name = i;
    } else if (token.is("<")) {
      i = closing_angle(tokens, i);
    } else if (token.is("[") || token.is(",") || token.is(";")) {
      if (!named) take_name();
      named = token.is("[");
      if (token.is("[")) i = closing(tokens, i);
      if (token.is(";")) {
        declaration.end = i;
        return declaration;
      }
    } else if (token.is("=") || token.is("{")) {
      throw TranslateError(token.line, "a __shared__ variable cannot have an initialiser");
    } else if (token.is("(") || token.is(")") || token.is("}")) {
      throw TranslateError(token.line,
                           "cannot translate this form of __shared__ declaration; name its type with a typedef");
    }
  }
  throw TranslateError(line, "this __shared__ declaration has no end");
}

// Whether the token at `at` stands at namespace scope: no brace but those of namespaces and linkage blocks is open.
bool at_namespace_scope(const Tokens& tokens, std::size_t at) {
  std::vector<bool> open;
  for (std::size_t i = 0; i < at; ++i) {
    if (tokens[i].is("}") && !open.empty()) open.pop_back();
    if (!tokens[i].is("{")) continue;
    std::size_t back = i;
    while (back > 0 && (tokens[back - 1].name() || tokens[back - 1].is("::")) && !tokens[back - 1].is("namespace"))
      --back;
    const bool is_namespace = back > 0 && tokens[back - 1].is("namespace");
    const bool is_linkage = i >= 2 && tokens[i - 1].kind == TokenKind::string && tokens[i - 2].is("extern");
    open.push_back(is_namespace || is_linkage);
  }
  for (const bool transparent : open) {
    if (!transparent) return false;
  }
  return true;
}

}  // namespace

void rewrite_shared(const TokenStream& stream, Edits& edits) {
  const auto& tokens = stream.tokens;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!tokens[at].is("__shared__")) continue;
    const auto declaration = read_declaration(tokens, at, stream.directive ? 2 : 0);
    const bool at_namespace = !stream.directive && at_namespace_scope(tokens, declaration.begin);
    if (at_namespace && !declaration.external) {
      throw TranslateError(tokens[at].line, "a __shared__ variable outside a function must be extern");
    }
    for (std::size_t i = 0; i < declaration.dropped_begin.size(); ++i) {
      const auto first = declaration.dropped_begin[i];
      edits.replace(tokens[first].offset, tokens[declaration.dropped_end[i]].end(), first == at ? " typedef " : " ");
    }
    std::string behind;
    for (const auto index : declaration.names) {
      const std::string name(tokens[index].text);
      const std::string type = "mskb_shared_type_" + name;
      const std::string variable = "mskb_shared_" + name;
      edits.replace(tokens[index].offset, tokens[index].end(), " " + type + " ");
      if (at_namespace) {
        behind += " static ::mskb_simt::DynamicShared < " + type + " > " + name + ";";
      } else if (declaration.external) {
        behind += " " + type + " & " + name + " = ::mskb_simt::dynamic_shared < " + type + " > ( );";
      } else {
        behind += " static ::mskb_simt::SharedVariable " + variable + " = { \"" + name +
                  "\" , __FILE__ , __LINE__ , 0 , 0 };";
        behind += " " + type + " & " + name + " = ::mskb_simt::shared < " + type + " > ( " + variable + " );";
      }
    }
    edits.insert(tokens[declaration.end].end(), behind);
    at = declaration.end;
  }
}

}  // namespace mskb::simt
