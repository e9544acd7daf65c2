#include "optimize/budget.hpp"

#include <gtest/gtest.h>

namespace mskb {
namespace {

TEST(Budget, NothingIsSpentWithoutALimit) {
  Spending spending;
  spending.evaluations = 1e9;
  spending.tokens = 1e9;
  EXPECT_EQ(what_is_spent({}, spending), std::nullopt);
  EXPECT_EQ(spent_figure({}, spending), "");
}

TEST(Budget, NamesTheFigureThatIsSpent) {
  Budget budget;
  budget.evaluations = 20;
  Spending spending;
  spending.evaluations = 19;
  EXPECT_EQ(what_is_spent(budget, spending), std::nullopt);
  spending.evaluations = 20;
  EXPECT_EQ(what_is_spent(budget, spending), "the budget of 20 evaluations is spent");
  EXPECT_EQ(spent_figure(budget, spending), "evaluations");
}

TEST(Budget, ABudgetOfNothingIsSpentAtOnce) {
  Budget budget;
  budget.evaluations = 0;
  EXPECT_TRUE(what_is_spent(budget, {}).has_value());
}

TEST(Budget, WhatIsLeftIsNeverNegativeAndNullWithoutLimit) {
  Budget budget;
  budget.evaluations = 3;
  budget.money = 0.5;
  Spending spending;
  spending.evaluations = 1;
  spending.money = 0.75;
  EXPECT_EQ(one_line(left_of(budget, spending)),
            R"({"evaluations":2,"tokens":null,"money":0,"device_s":null,"wall_s":null})");
}

TEST(Budget, UnknownSpendingIsNullAndNotZero) {
  EXPECT_EQ(one_line(to_json(Spending{})), R"({"evaluations":0,"tokens":null,"money":null,"device_s":0,"wall_s":0})");
}

}  // namespace
}  // namespace mskb
