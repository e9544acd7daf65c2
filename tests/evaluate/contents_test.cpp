#include "evaluate/contents.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace mskb::test {

namespace {
Case named_case(int index) {
  static const Task task = [] {
    Task made;
    made.name = "copy";
    return made;
  }();
  Case test_case;
  test_case.problem = {&task, Precision::fp32};
  test_case.set = "smoke";
  test_case.index = index;
  CaseArgument x, y;
  x.name = "x";
  y.name = "y";
  test_case.arguments = {x, y};
  return test_case;
}
const RunKey key = RunKey::parse("000102030405060708090a0b0c0d0e0f");
}  // namespace

TEST(Contents, StreamsFollowFromKeyCaseStepAndArgument) {
  const auto first = generate_request(key, named_case(0), 3);
  EXPECT_EQ(first.stream_keys[0], generate_request(key, named_case(0), 3).stream_keys[0]);
  EXPECT_NE(first.stream_keys[0], first.stream_keys[1]);
  EXPECT_NE(first.stream_keys[0], generate_request(key, named_case(0), 4).stream_keys[0]);
  EXPECT_NE(first.stream_keys[0], generate_request(key, named_case(1), 3).stream_keys[0]);
  EXPECT_NE(first.stream_keys[0], generate_request(RunKey::parse(std::string(32, 'a')), named_case(0), 3).stream_keys[0]);
}

TEST(Contents, KeysAreDrawnAndParsed) {
  EXPECT_NE(RunKey::draw().hex, RunKey::draw().hex);
  EXPECT_EQ(RunKey::parse(RunKey::draw().hex).hex.size(), 32u);
  EXPECT_THROW(RunKey::parse("abc"), InputError);
  EXPECT_THROW(RunKey::parse(std::string(32, 'G')), InputError);
}

}  // namespace mskb::test
