#include "base/expression.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/errors.hpp"

namespace mskb {

namespace {

constexpr int most_depth = 100;

std::string shortened(std::string_view expression) {
  constexpr std::size_t most = 200;
  return expression.size() <= most ? std::string(expression) : std::string(expression.substr(0, most)) + "...";
}

class Parser {
 public:
  Parser(std::string_view text, const Variables& variables) : text_(text), variables_(variables) {}

  double parse() {
    const double value = disjunction();
    skip_space();
    if (at_ != text_.size()) {
      fail(fmt::format("unexpected '{}'", text_[at_]));
    }
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(fmt::format("expression '{}': {} at position {}", shortened(text_), reason, at_ + 1));
  }

  // What an expression is made of again: a bracket, a sign, a power, an argument.
  class Nested {
   public:
    explicit Nested(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > most_depth) {
        parser_.fail(fmt::format("nested more than {} deep; write fewer brackets and signs", most_depth));
      }
    }
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };

  void skip_space() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }

  bool accept(std::string_view token) {
    skip_space();
    if (text_.substr(at_, token.size()) != token) {
      return false;
    }
    if (std::isalpha(static_cast<unsigned char>(token[0])) && at_ + token.size() < text_.size() &&
        is_name(text_[at_ + token.size()])) {
      return false;
    }
    at_ += token.size();
    return true;
  }

  static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  double disjunction() {
    const Nested nested(*this);
    double value = conjunction();
    while (accept("or")) {
      const double right = conjunction();
      value = (value != 0 || right != 0) ? 1 : 0;
    }
    return value;
  }

  double conjunction() {
    double value = comparison();
    while (accept("and")) {
      const double right = comparison();
      value = (value != 0 && right != 0) ? 1 : 0;
    }
    return value;
  }

  double comparison() {
    const double left = sum();
    if (accept("<=")) return left <= sum();
    if (accept(">=")) return left >= sum();
    if (accept("==")) return left == sum();
    if (accept("!=")) return left != sum();
    if (accept("<")) return left < sum();
    if (accept(">")) return left > sum();
    return left;
  }

  double sum() {
    double value = product();
    for (;;) {
      if (accept("+")) {
        value += product();
      } else if (accept("-")) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = factor();
    for (;;) {
      if (accept("*")) {
        value *= factor();
      } else if (accept("/")) {
        value /= divisor();
      } else if (accept("%")) {
        value = std::fmod(value, divisor());
      } else {
        return value;
      }
    }
  }

  double divisor() {
    const double value = factor();
    if (value == 0) {
      fail("division by zero");
    }
    return value;
  }

  double factor() {
    const Nested nested(*this);
    if (accept("-")) {
      return -factor();
    }
    const double base = primary();
    return accept("^") ? std::pow(base, factor()) : base;
  }

  double primary() {
    if (accept("(")) {
      const double value = disjunction();
      close();
      return value;
    }
    skip_space();
    if (at_ < text_.size() && is_name(text_[at_]) && !std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      return name();
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) {
      fail("a number that a double cannot hold");
    }
    if (error != std::errc{}) {
      fail(at_ == text_.size() ? "a value is missing" : fmt::format("unexpected '{}'", text_[at_]));
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  void close() {
    if (!accept(")")) {
      fail("')' is missing");
    }
  }

  double name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_])) {
      ++at_;
    }
    const std::string_view word = text_.substr(start, at_ - start);
    if (accept("(")) {
      return call(word);
    }
    const auto found = variables_.find(word);
    if (found == variables_.end()) {
      at_ = start;
      fail(fmt::format("unknown name '{}'", word));
    }
    return found->second;
  }

  double call(std::string_view function) {
    const double x = disjunction();
    if (function == "min" || function == "max") {
      if (!accept(",")) {
        fail("',' is missing");
      }
      const double y = disjunction();
      close();
      return function == "min" ? std::fmin(x, y) : std::fmax(x, y);
    }
    close();
    if (function == "log2" && x <= 0) fail("log2 of a number that is not positive");
    if (function == "log2") return std::log2(x);
    if (function == "sqrt") return std::sqrt(x);
    if (function == "floor") return std::floor(x);
    if (function == "ceil") return std::ceil(x);
    if (function == "abs") return std::fabs(x);
    if (function == "pow2") return x >= 1 && std::exp2(std::round(std::log2(x))) == x;
    fail(fmt::format("unknown function '{}'", function));
  }

  std::string_view text_;
  const Variables& variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluate_expression(std::string_view expression, const Variables& variables) {
  return Parser(expression, variables).parse();
}

std::int64_t evaluate_count(std::string_view expression, const Variables& variables) {
  const double value = evaluate_expression(expression, variables);
  if (!(value >= 0 && value <= 9007199254740992.0) || value != std::floor(value)) {
    throw InputError(fmt::format("expression '{}' gives {}, which is not a count", shortened(expression), value));
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace mskb
