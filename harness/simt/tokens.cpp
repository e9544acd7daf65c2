#include "simt/tokens.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace mskb::simt {
namespace {

bool starts_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) { streams_.emplace_back(); }

  std::vector<TokenStream> run() {
    while (at_ < source_.size()) step();
    return std::move(streams_);
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  void step() {
    const char c = source_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
      current_ = 0;
      line_start_ = true;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
      ++line_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      line_comment();
    } else if (c == '/' && peek(1) == '*') {
      const auto end = source_.find("*/", at_ + 2);
      skip_to(end == std::string_view::npos ? source_.size() : end + 2);
    } else if (c == '#' && line_start_) {
      streams_.push_back({true, {}});
      current_ = streams_.size() - 1;
      line_start_ = false;
      ++at_;
    } else {
      line_start_ = false;
      token();
    }
  }

  void line_comment() {
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (source_[at_] == '\\' && peek(1) == '\n') {
        ++line_;
        ++at_;
      }
      ++at_;
    }
  }

  void skip_to(std::size_t end) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void emit(TokenKind kind, std::size_t end) {
    streams_[current_].tokens.push_back({kind, source_.substr(at_, end - at_), at_, line_});
    skip_to(end);
  }

  void token() {
    const char c = source_[at_];
    if (starts_identifier(c)) {
      std::size_t end = at_;
      while (end < source_.size() && (starts_identifier(source_[end]) || is_digit(source_[end]))) ++end;
      const auto word = source_.substr(at_, end - at_);
      static constexpr std::array<std::string_view, 9> prefixes{"R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"};
      const bool prefix = std::find(prefixes.begin(), prefixes.end(), word) != prefixes.end();
      if (prefix && end < source_.size() && source_[end] == '"') {
        word.back() == 'R' ? emit(TokenKind::string, raw_string_end(end))
                           : emit(TokenKind::string, quoted_end(end, '"'));
      } else if (prefix && word.back() != 'R' && end < source_.size() && source_[end] == '\'') {
        emit(TokenKind::character, quoted_end(end, '\''));
      } else {
        emit(TokenKind::identifier, end);
      }
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      emit(TokenKind::number, number_end());
    } else if (c == '"') {
      emit(TokenKind::string, quoted_end(at_, '"'));
    } else if (c == '\'') {
      emit(TokenKind::character, quoted_end(at_, '\''));
    } else {
      const auto two = source_.substr(at_, 2);
      const bool pair =
          two == "::" || two == "->" || two == "<=" || (two == ">=" && !(at_ > 0 && source_[at_ - 1] == '>'));
      emit(TokenKind::punctuation, at_ + (pair ? 2 : 1));
    }
  }

  std::size_t number_end() const {
    std::size_t end = at_;
    while (end < source_.size()) {
      const char c = source_[end];
      const char before = end > at_ ? source_[end - 1] : '\0';
      const bool exponent = (c == '+' || c == '-') &&
                            (before == 'e' || before == 'E' || before == 'p' || before == 'P') &&
                            !(before != 'p' && before != 'P' && source_.substr(at_, 2) == "0x");
      const bool separator =
          c == '\'' && end + 1 < source_.size() && (starts_identifier(source_[end + 1]) || is_digit(source_[end + 1]));
      if (!(starts_identifier(c) || is_digit(c) || c == '.' || exponent || separator)) break;
      ++end;
    }
    return end;
  }

  // Past the closing quote, or the end of the line where it is missing.
  std::size_t quoted_end(std::size_t quote_at, char quote) const {
    std::size_t end = quote_at + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n') end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) return source_.size();
    return source_[end] == quote ? end + 1 : end;
  }

  std::size_t raw_string_end(std::size_t quote_at) const {
    const auto bracket = source_.find('(', quote_at);
    if (bracket == std::string_view::npos) return source_.size();
    std::string close(1, ')');
    close += source_.substr(quote_at + 1, bracket - quote_at - 1);
    close += '"';
    const auto end = source_.find(close, bracket);
    return end == std::string_view::npos ? source_.size() : end + close.size();
  }

  std::string_view source_;
  std::vector<TokenStream> streams_;
  std::size_t current_ = 0;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_start_ = true;
};

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

}  // namespace

std::vector<TokenStream> lex(std::string_view source) { return Lexer(source).run(); }

std::size_t closing(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::punctuation) continue;
    if (opens(tokens[i])) ++depth;
    if (closes(tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t opening(const std::vector<Token>& tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (tokens[i].kind != TokenKind::punctuation) continue;
    if (closes(tokens[i])) ++depth;
    if (opens(tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t closing_angle(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::punctuation) continue;
    if (opens(tokens[i])) {
      i = closing(tokens, i);
    } else if (tokens[i].is("<")) {
      ++depth;
    } else if (tokens[i].is(">")) {
      if (--depth == 0) return i;
    } else if (closes(tokens[i]) || tokens[i].is(";")) {
      break;
    }
  }
  return tokens.size();
}

std::size_t opening_angle(const std::vector<Token>& tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (tokens[i].kind != TokenKind::punctuation) continue;
    if (closes(tokens[i])) {
      i = opening(tokens, i);
      if (i == tokens.size()) break;
    } else if (tokens[i].is(">")) {
      ++depth;
    } else if (tokens[i].is("<")) {
      if (--depth == 0) return i;
    } else if (opens(tokens[i]) || tokens[i].is(";")) {
      break;
    }
  }
  return tokens.size();
}

bool is_triple(const std::vector<Token>& tokens, std::size_t at, char c) {
  const auto same = [&](std::size_t i, std::size_t offset) {
    return i < tokens.size() && tokens[i].kind == TokenKind::punctuation && tokens[i].text[0] == c &&
           tokens[i].text.size() == 1 && tokens[i].offset == offset;
  };
  if (at >= tokens.size()) return false;
  const std::size_t offset = tokens[at].offset;
  if (!same(at, offset) || !same(at + 1, offset + 1) || !same(at + 2, offset + 2)) return false;
  return !same(at + 3, offset + 3) && !(at > 0 && offset > 0 && same(at - 1, offset - 1));
}

bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 21> keywords{
      "else",      "do",       "return", "case", "goto", "throw", "new",   "delete", "sizeof", "typename", "template",
      "co_return", "co_await", "and",    "or",   "not",  "if",    "while", "for",    "switch", "default"};
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

}  // namespace mskb::simt
