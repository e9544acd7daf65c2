#include "base/expression.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace mskb {
namespace {

double evaluate(std::string_view text) { return evaluate_expression(text, {{"N", 10}, {"rows", 3}, {"zero", 0}}); }

std::string refusal(std::string_view text) {
  try {
    evaluate(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Expression, FollowsPrecedence) {
  EXPECT_EQ(evaluate("1 + 2 * 3"), 7);
  EXPECT_EQ(evaluate("(1 + 2) * 3"), 9);
  EXPECT_EQ(evaluate("2 * 3 ^ 2"), 18);
  EXPECT_EQ(evaluate("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(evaluate("-2 ^ 2"), -4);
  EXPECT_EQ(evaluate("2 ^ -8"), 0.00390625);
  EXPECT_EQ(evaluate("8 - 3 - 2"), 3);
  EXPECT_EQ(evaluate("7 % 4 * 2"), 6);
}

TEST(Expression, ReadsNamesAndNumbers) {
  EXPECT_EQ(evaluate("2*N*rows+1e1"), 70);
  EXPECT_EQ(evaluate(" N/4 "), 2.5);
}

TEST(Expression, ComparesAndConnects) {
  EXPECT_EQ(evaluate("N >= 10 and rows < 4"), 1);
  EXPECT_EQ(evaluate("N != 10 or rows == 3"), 1);
  EXPECT_EQ(evaluate("N > 10 or rows <= 2"), 0);
}

TEST(Expression, CallsFunctions) {
  EXPECT_EQ(evaluate("log2(1024)"), 10);
  EXPECT_EQ(evaluate("floor(N / rows) + ceil(N / rows)"), 7);
  EXPECT_EQ(evaluate("min(N, rows) + max(N, rows)"), 13);
  EXPECT_EQ(evaluate("abs(rows - N) + sqrt(16)"), 11);
  EXPECT_EQ(evaluate("pow2(64)"), 1);
  EXPECT_EQ(evaluate("pow2(N)"), 0);
  EXPECT_EQ(evaluate("pow2(zero)"), 0);
}

TEST(Expression, ExactUpToTwoToThe53) { EXPECT_EQ(evaluate("16384*4096*2048"), 137438953472.0); }

TEST(Expression, RefusesWithPositionAndReason) {
  EXPECT_EQ(refusal("N / (rows - 3)"), "expression 'N / (rows - 3)': division by zero at position 15");
  EXPECT_EQ(refusal("N % zero"), "expression 'N % zero': division by zero at position 9");
  EXPECT_EQ(refusal("N * cols"), "expression 'N * cols': unknown name 'cols' at position 5");
  EXPECT_EQ(refusal("N +"), "expression 'N +': a value is missing at position 4");
  EXPECT_EQ(refusal("(N"), "expression '(N': ')' is missing at position 3");
  EXPECT_EQ(refusal("N rows"), "expression 'N rows': unexpected 'r' at position 3");
  EXPECT_EQ(refusal("log2(zero)"), "expression 'log2(zero)': log2 of a number that is not positive at position 11");
  EXPECT_EQ(refusal("cube(N)"), "expression 'cube(N)': unknown function 'cube' at position 8");
}

TEST(Expression, IsNotNestedDeeply) {
  const std::string deep = "nested more than 100 deep; write fewer brackets and signs at position ";
  for (const char* part : {"(", "-", "2^", "min(1,", "abs("}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += part;
    EXPECT_NE(refusal(text).find(deep), std::string::npos) << part;
    EXPECT_LT(refusal(text).size(), 400u) << part;
  }
  EXPECT_EQ(refusal(std::string(40, '(') + "1" + std::string(40, ')')), "accepted");
}

TEST(Expression, NumbersAreDoubles) {
  EXPECT_EQ(refusal("1e999"), "expression '1e999': a number that a double cannot hold at position 1");
  for (const char* text : {"0x10", "1_000", "inf", "nan", ".inf", "1e", "+1", "1,000"}) {
    EXPECT_NE(refusal(text), "accepted") << text;
  }
}

TEST(Expression, CountsAreWholeAndNotNegative) {
  const Variables variables{{"N", 10}};
  EXPECT_EQ(evaluate_count("N*N", variables), 100);
  EXPECT_THROW(evaluate_count("N/4", variables), InputError);
  EXPECT_THROW(evaluate_count("N - 11", variables), InputError);
  EXPECT_THROW(evaluate_count("2^54", variables), InputError);
}

}  // namespace
}  // namespace mskb
