#include <algorithm>

#include "loop_fixture.hpp"

// What each switch of the paper's ablations changes in the transcript of one and the same three rounds.
namespace mskb::cudamaster {
namespace {

using namespace test;

// Requests by agent, evaluations, and how many of those wanted a profile.
struct Exchange {
  std::size_t planner, coder, compiler, debugger, evaluations, profiles;
  bool operator==(const Exchange&) const = default;
};
std::ostream& operator<<(std::ostream& stream, const Exchange& each) {
  return stream << each.planner << " " << each.coder << " " << each.compiler << " " << each.debugger << " requests, " << each.evaluations
                << " evaluations, " << each.profiles << " profiles";
}

class Ablation : public CudaMasterLoop {
 protected:
  std::string transcript(const std::map<std::string, std::string>& options) {
    prepare(true);
    settings = settings_from(options);
    manner = agents::manner_of({{"model", options.contains("model") ? options.at("model") : "a-model"}, {"temperature", "0.5"}});
    Answers answers = three_rounds();
    submission_ = run(answers).id;
    return transcript_of(*chat, *harness);
  }
  Exchange exchange(const std::map<std::string, std::string>& options) {
    transcript(options);
    const auto count = [&](const std::string& how, const std::string& holds) {
      return static_cast<std::size_t>(std::count_if(harness->exchange.begin(), harness->exchange.end(), [&](const std::string& line) {
        return line.starts_with(how) && line.find(holds) != std::string::npos;
      }));
    };
    return {chat->asked("planner"), chat->asked("coder"),   chat->asked("compiler"),
            chat->asked("debugger"), count("evaluate ", ""), count("evaluate ", "with profile")};
  }
  std::string submission_;
};

TEST_F(Ablation, ThePapersSettings) {
  EXPECT_EQ(exchange({}), (Exchange{3, 3, 3, 2, 9, 4}));
  EXPECT_EQ(submission_, "id of // second, speed=4");
}

TEST_F(Ablation, FewerRounds) {
  EXPECT_EQ(exchange({{"rounds", "1"}}), (Exchange{1, 1, 1, 2, 5, 2}));
  EXPECT_EQ(exchange({{"rounds", "2"}}), (Exchange{2, 2, 2, 2, 7, 3}));
}

TEST_F(Ablation, FewerAttemptsToRepair) {
  EXPECT_EQ(exchange({{"debug", "1"}}), (Exchange{3, 3, 3, 1, 7, 3})) << "the first round is lost after one attempt";
  EXPECT_EQ(exchange({{"debug", "0"}}), (Exchange{3, 3, 3, 0, 6, 3}));
}

TEST_F(Ablation, WithoutProfiles) {
  EXPECT_EQ(exchange({{"profile", "none"}}), (Exchange{3, 3, 3, 2, 9, 0}));
  const std::string with = transcript({}), without = transcript({{"profile", "none"}});
  EXPECT_NE(with.find("memory latency bound"), std::string::npos);
  EXPECT_EQ(without.find("memory latency bound"), std::string::npos);
}

// The harness filters, not the loop: session_profile_test shows what it hands over for each.
TEST_F(Ablation, FullProfilesAreAskedForAsFilteredOnesAre) {
  const std::string filtered = transcript({{"profile", "filtered"}});
  harness.reset();
  EXPECT_EQ(transcript({{"profile", "full"}}), filtered);
}

TEST_F(Ablation, AnotherModelIsAskedTheSame) {
  const std::string one = transcript({});
  EXPECT_EQ(transcript({{"model", "another"}}), one);
  for (const agents::ChatRequest& request : chat->requests) {
    EXPECT_EQ(request.model, "another");
  }
}

}  // namespace
}  // namespace mskb::cudamaster
