#include "cudamaster/profile_text.hpp"

#include <gmock/gmock.h>

namespace mskb::cudamaster {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const both = R"({"filtered": {"class": "compute bound"}, "full": {"a.metric": 1}})";

TEST(ProfileText, ShowsThePartThatIsWanted) {
  EXPECT_THAT(shown_profile(both, false), HasSubstr("compute bound"));
  EXPECT_THAT(shown_profile(both, false), Not(HasSubstr("a.metric")));
  EXPECT_THAT(shown_profile(both, true), HasSubstr("a.metric"));
  EXPECT_THAT(shown_profile(both, true), Not(HasSubstr("compute bound")));
}

TEST(ProfileText, ShowsAllOfAProfileWithoutParts) {
  EXPECT_THAT(shown_profile(R"({"kernels": [{"share": 1}]})", false), HasSubstr("\"share\": 1"));
  EXPECT_EQ(shown_profile(R"({"filtered": "in words"})", false), "in words\n");
  EXPECT_EQ(shown_profile("no JSON", true), "no JSON\n");
}

}  // namespace
}  // namespace mskb::cudamaster
