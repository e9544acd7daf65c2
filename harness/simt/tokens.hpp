// The lexer of the translator: C++ tokens with their place in the source, comments left out.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mskb::simt {

enum class TokenKind { identifier, number, string, character, punctuation };

// `text` points into the source. Punctuation is one character, except `::`, `->`, `<=`, `>=`.
struct Token {
  TokenKind kind;
  std::string_view text;
  std::size_t offset;
  int line;  // from 1

  bool is(std::string_view wanted) const { return text == wanted; }
  bool name() const { return kind == TokenKind::identifier; }
  std::size_t end() const { return offset + text.size(); }
};

// A run of tokens that belong together: the source outside directives, or one directive (`#` itself left out).
// A launch or declaration never reaches from one stream into another.
struct TokenStream {
  bool directive = false;
  std::vector<Token> tokens;
};

// streams[0] is the text outside directives; the others follow in source order.
std::vector<TokenStream> lex(std::string_view source);

// Index of the token that closes the bracket ( [ or { at `open`; tokens.size() if there is none.
std::size_t closing(const std::vector<Token>& tokens, std::size_t open);
// Index of the token that opens the bracket ) ] or } at `close`; tokens.size() if there is none.
std::size_t opening(const std::vector<Token>& tokens, std::size_t close);
// The same for a template argument list: `open` is a `<`; `close` is a `>`. Brackets inside are skipped as a whole.
std::size_t closing_angle(const std::vector<Token>& tokens, std::size_t open);
std::size_t opening_angle(const std::vector<Token>& tokens, std::size_t close);

// Three tokens `c` in a row without a gap, and no fourth before or after.
bool is_triple(const std::vector<Token>& tokens, std::size_t at, char c);

bool is_keyword(std::string_view word);

}  // namespace mskb::simt
