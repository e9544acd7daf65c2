#include "astra/tests_choice.hpp"

#include <gmock/gmock.h>

#include "scripted_session.hpp"

namespace mskb::astra {
namespace {

std::string nearest(const std::string& answer) {
  return nearest_set(wanted_tests(answer), test::start_of_test(true), {"smoke", "paper"});
}

TEST(AstrasTests, AreReadFromAnyWrapping) {
  EXPECT_EQ(
      wanted_tests("Here:\n```json\n[{\"dims\": {\"N\": 7}}, {\"dims\": {\"N\": 9}, \"why\": \"odd\"},]\n```").size(),
      2u);
  EXPECT_EQ(wanted_tests("{\"tests\": [{\"dims\": {\"N\": 7}}]}").size(), 1u);
}

TEST(AstrasTests, WhatCannotBeReadIsLeftOut) {
  EXPECT_TRUE(wanted_tests("").empty());
  EXPECT_TRUE(wanted_tests("no tests").empty());
  EXPECT_TRUE(wanted_tests("{\"a\": 1}").empty());
  const auto tests = wanted_tests(
      "[1, {\"dims\": 3}, {\"dims\": {\"N\": \"many\"}}, {\"dims\": {\"N\": -1}}, {\"dims\": {\"N\": 5}}]");
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_EQ(tests[0].dims.at("N"), 5);
}

TEST(AstrasTests, ChooseTheSetThatMostOfThemComeNearestTo) {
  EXPECT_EQ(nearest("[{\"dims\": {\"N\": 1}}, {\"dims\": {\"N\": 2000}}, {\"dims\": {\"N\": 5000}}]"), "paper");
  EXPECT_EQ(nearest("[{\"dims\": {\"N\": 1}}, {\"dims\": {\"N\": 100}}, {\"dims\": {\"N\": 5000}}]"), "smoke");
}

TEST(AstrasTests, WithoutAMajorityTheFirstSetIsTaken) {
  EXPECT_EQ(nearest("[{\"dims\": {\"N\": 1}}, {\"dims\": {\"N\": 5000}}]"), "smoke");
  EXPECT_EQ(nearest("nothing"), "smoke");
  EXPECT_EQ(nearest("[{\"dims\": {\"M\": 5000}}]"), "smoke") << "no case has this dim";
}

}  // namespace
}  // namespace mskb::astra
