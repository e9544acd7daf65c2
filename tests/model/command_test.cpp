#include "model/command.hpp"

#include <gmock/gmock.h>

namespace mskb {
namespace {

using ::testing::ElementsAre;

TEST(Command, GivesEachValueOfAnOption) {
  const std::vector<std::string> command{"mskb", "run", "--candidate", "a.cu", "b.cu", "--device", "cpu", "--candidate=c.cu", "--candidate", "d.cu", "--races"};
  EXPECT_THAT(options_of(command, "--candidate"), ElementsAre("a.cu", "b.cu", "c.cu", "d.cu"));
  EXPECT_EQ(option_of(command, "--device"), "cpu");
  EXPECT_EQ(option_of(command, "--races"), "");
  EXPECT_EQ(judged_with(command), "--races");
}

}  // namespace
}  // namespace mskb
