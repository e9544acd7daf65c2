#include "simt/conditions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "simt/translate.hpp"

namespace mskb::simt {
namespace {

using Value = std::optional<long long>;  // empty: unknown

struct Macro {
  std::string_view name;
  long long value;
};
// As in include/mskb_simt/qualifiers.h.
constexpr std::array macros{Macro{"__CUDA_ARCH__", 800},       Macro{"__CUDACC__", 1},
                            Macro{"__CUDACC_VER_MAJOR__", 13}, Macro{"__CUDACC_VER_MINOR__", 0},
                            Macro{"CUDART_VERSION", 13000},    Macro{"CUDA_VERSION", 13000}};

Value macro_value(std::string_view name) {
  for (const auto& macro : macros) {
    if (macro.name == name) return macro.value;
  }
  return std::nullopt;
}

constexpr int deepest = 256;  // as many brackets as the C++ standard asks of a compiler

// The usual precedences of C, left to right; only what conditions on versions need.
class Expression {
 public:
  Expression(const std::vector<Token>& tokens, std::size_t begin) : tokens_(tokens), at_(begin) {}

  Value value() {
    const Value result = either();
    return at_ == tokens_.size() ? result : std::nullopt;
  }

 private:
  bool take(std::string_view text) {
    if (at_ >= tokens_.size() || !tokens_[at_].is(text)) return false;
    ++at_;
    return true;
  }
  bool take_twice(std::string_view text) {
    if (at_ + 1 >= tokens_.size() || !tokens_[at_].is(text) || !tokens_[at_ + 1].is(text)) return false;
    at_ += 2;
    return true;
  }

  Value either() {
    Value left = both();
    while (take_twice("|")) {
      const Value right = both();
      left = (left && *left != 0) || (right && *right != 0) ? Value(1) : left && right ? Value(0) : std::nullopt;
    }
    return left;
  }
  Value both() {
    Value left = compared();
    while (take_twice("&")) {
      const Value right = compared();
      left = (left && *left == 0) || (right && *right == 0) ? Value(0) : left && right ? Value(1) : std::nullopt;
    }
    return left;
  }
  Value compared() {
    const Value left = single();
    const auto with = [&](auto compare) {
      const Value right = single();
      return left && right ? Value(compare(*left, *right)) : std::nullopt;
    };
    if (take(">=")) return with([](long long a, long long b) { return a >= b; });
    if (take("<=")) return with([](long long a, long long b) { return a <= b; });
    if (take(">")) return with([](long long a, long long b) { return a > b; });
    if (take("<")) return with([](long long a, long long b) { return a < b; });
    if (take_twice("=")) return with([](long long a, long long b) { return a == b; });
    return left;
  }
  Value single() {
    if (depth_ == deepest) {
      throw TranslateError(tokens_[0].line, "a condition that is more than " + std::to_string(deepest) + " levels deep");
    }
    ++depth_;
    const Value value = operand();
    --depth_;
    return value;
  }
  Value operand() {
    if (take("!")) {
      const Value inner = single();
      return inner ? Value(*inner == 0) : std::nullopt;
    }
    if (take("(")) {
      const Value inner = either();
      return take(")") ? inner : std::nullopt;
    }
    if (take("defined")) {
      const bool bracket = take("(");
      if (at_ >= tokens_.size()) return std::nullopt;
      const bool known = macro_value(tokens_[at_++].text).has_value();
      if (bracket && !take(")")) return std::nullopt;
      return known ? Value(1) : std::nullopt;
    }
    if (at_ >= tokens_.size()) return std::nullopt;
    const Token& token = tokens_[at_++];
    if (token.kind == TokenKind::identifier) return macro_value(token.text);
    long long number = 0;
    const auto read = std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
    return token.kind == TokenKind::number && read.ptr == token.text.data() + token.text.size() ? Value(number)
                                                                                                : std::nullopt;
  }

  const std::vector<Token>& tokens_;
  std::size_t at_;
  int depth_ = 0;
};

}  // namespace

InactiveLines::InactiveLines(const std::vector<TokenStream>& streams) {
  struct Group {
    Value taken;  // whether a branch so far was certainly (1), possibly (empty) or certainly not (0) taken
    bool off;     // this branch is left out
    int since;
  };
  std::vector<Group> open;
  const auto enter = [&](Group& group, Value condition, int line) {
    if (group.off) ranges_.push_back({group.since, line});
    group.off = (condition && *condition == 0) || (group.taken && *group.taken == 1);
    group.since = line;
    if (condition && *condition != 0 && !group.off)
      group.taken = 1;
    else if (!condition && group.taken && *group.taken == 0)
      group.taken = std::nullopt;
  };
  for (const auto& stream : streams) {
    if (!stream.directive || stream.tokens.empty()) continue;
    const auto& tokens = stream.tokens;
    const int line = tokens[0].line;
    const bool names_known = tokens.size() > 1 && macro_value(tokens[1].text).has_value();
    if (tokens[0].is("if")) {
      open.push_back({0, false, line});
      enter(open.back(), Expression(tokens, 1).value(), line);
    } else if (tokens[0].is("ifdef") || tokens[0].is("ifndef")) {
      open.push_back({0, false, line});
      enter(open.back(), names_known ? Value(tokens[0].is("ifdef")) : std::nullopt, line);
    } else if (open.empty()) {
      continue;
    } else if (tokens[0].is("elif")) {
      enter(open.back(), Expression(tokens, 1).value(), line);
    } else if (tokens[0].is("else")) {
      enter(open.back(), Value(1), line);
    } else if (tokens[0].is("endif")) {
      if (open.back().off) ranges_.push_back({open.back().since, line});
      open.pop_back();
    }
  }
  for (const auto& group : open) {
    if (group.off) ranges_.push_back({group.since, std::numeric_limits<int>::max()});
  }
}

bool InactiveLines::contain(int line) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [&](const Range& range) { return range.first < line && line < range.last; });
}

}  // namespace mskb::simt
