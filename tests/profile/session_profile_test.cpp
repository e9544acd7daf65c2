// What an optimizer is told that asked for a profile.
#include "optimize/session_profile.hpp"

#include <gmock/gmock.h>

#include "../optimize/fake_harness.hpp"
#include "fixture.hpp"

namespace mskb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SessionProfile : public ::testing::Test {
 protected:
  SessionProfile() {
    profiles_.take = [this](const Case& test_case, const Candidate&) {
      cases_.push_back(test_case.name());
      return ProfileOutcome{test::profile_of("synthetic-latency"), ""};
    };
    session_.plan.profile = [this](const Candidate& candidate, CandidateReport& report) {
      add_profile(report, test::silu_fp32(), candidate, profiles_);
    };
  }

  // The answer to one candidate of this text.
  Json answer(const std::string& source, const std::string& profile = "True", const std::string& sizes = "[\"smoke\"]") {
    session_.python("import json, sys\ninput()\nprint(json.dumps({'type': 'evaluate', 'sources': {'a.cu': '" + source + "'}, 'cases': " + sizes +
                    ", 'profile': " + profile + "}), flush=True)\ninput()\nprint(json.dumps({'type': 'submit', 'id': None}), flush=True)\n");
    return session_.messages(true, "evaluation").at(0);
  }

  test::FakeSession session_;
  SessionProfiles profiles_;
  std::vector<std::string> cases_;
};

TEST_F(SessionProfile, IsFilteredByDefaultAndOfTheLargestCaseAskedFor) {
  const Json message = answer("fine", "True", "[\"check\", \"smoke\"]");
  EXPECT_EQ(message.at("profile").at("kind"), "filtered");
  EXPECT_EQ(message.at("profile").at("class"), "memory latency bound");
  EXPECT_EQ(message.at("profile_reason"), "");
  EXPECT_THAT(cases_, ElementsAre("silu_and_mul/fp32/smoke/1"));
}

TEST_F(SessionProfile, IsTheFullOneWhereTheSessionSaysSo) {
  profiles_.kind = ProfileKind::full;
  const Json message = answer("fine");
  EXPECT_EQ(message.at("profile").at("kind"), "full");
  EXPECT_FALSE(message.at("profile").contains("class"));
}

TEST_F(SessionProfile, IsNoneWhereTheSessionSaysSo) {
  profiles_.kind = ProfileKind::none;
  const Json message = answer("fine");
  EXPECT_TRUE(message.at("profile").is_null());
  EXPECT_THAT(message.at("profile_reason").get<std::string>(), HasSubstr("profile: none"));
  EXPECT_TRUE(cases_.empty());
}

TEST_F(SessionProfile, IsTakenOnlyOfWhatPassed) {
  const Json message = answer("wrong");
  EXPECT_TRUE(message.at("profile").is_null());
  EXPECT_EQ(message.at("profile_reason"), "only candidates that passed are profiled; this one: mismatch");
  EXPECT_TRUE(cases_.empty());
}

TEST_F(SessionProfile, IsTakenOnlyWhenAskedFor) {
  const Json message = answer("fine", "False");
  EXPECT_TRUE(message.at("profile").is_null());
  EXPECT_EQ(message.at("profile_reason"), "not asked for");
  EXPECT_TRUE(cases_.empty());
}

TEST_F(SessionProfile, GivesTheReasonWhereThereIsNone) {
  profiles_.take = [](const Case&, const Candidate&) { return ProfileOutcome{{}, "the cpu backend has no hardware counters"}; };
  const Json message = answer("fine");
  EXPECT_TRUE(message.at("profile").is_null());
  EXPECT_EQ(message.at("profile_reason"), "the cpu backend has no hardware counters");
}

}  // namespace
}  // namespace mskb
