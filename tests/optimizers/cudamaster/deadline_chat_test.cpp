#include "common/deadline_chat.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <future>

namespace mskb::agents {
namespace {

using ::testing::HasSubstr;
using Clock = DeadlineChat::Clock;

// Answers once it is released.
class Slow : public Chat {
 public:
  ChatAnswer ask(const ChatRequest& request) override {
    ++asked;
    released.wait();
    if (request.agent == "fails") {
      throw ChatTooExpensive("too much");
    }
    ChatAnswer answer;
    answer.text = "answer to " + request.agent;
    return answer;
  }
  std::promise<void> release;
  std::shared_future<void> released{release.get_future()};
  std::atomic<int> asked = 0;
};

ChatRequest request_of(const std::string& agent) {
  ChatRequest request;
  request.agent = agent;
  return request;
}

TEST(DeadlineChat, PassesAnswersAndFailuresOn) {
  const auto slow = std::make_shared<Slow>();
  slow->release.set_value();
  DeadlineChat chat(slow, Clock::now() + std::chrono::hours(1));
  EXPECT_EQ(chat.ask(request_of("planner")).text, "answer to planner");
  EXPECT_THROW(chat.ask(request_of("fails")), ChatTooExpensive);
}

TEST(DeadlineChat, GivesUpWhatDoesNotComeAndAsksNothingAfterwards) {
  const auto slow = std::make_shared<Slow>();
  DeadlineChat chat(slow, Clock::now() + std::chrono::milliseconds(200));
  try {
    chat.ask(request_of("planner"));
    ADD_FAILURE() << "it was answered";
  } catch (const DeadlinePassed& passed) {
    EXPECT_THAT(passed.what(), HasSubstr("the answer of planner was not awaited"));
  }
  EXPECT_THROW(chat.ask(request_of("coder")), DeadlinePassed);
  slow->release.set_value();
  EXPECT_LE(slow->asked, 1);
}

TEST(DeadlineChat, AsksNothingAfterTheDeadline) {
  const auto slow = std::make_shared<Slow>();
  DeadlineChat chat(slow, Clock::now());
  EXPECT_THROW(chat.ask(request_of("planner")), DeadlinePassed);
  EXPECT_EQ(slow->asked, 0);
}

TEST(DeadlineChat, TheDeadlineIsTheSessionsWallTime) {
  optimizer::Budget budget;
  budget.wall_s = 3600;
  const Clock::time_point deadline = deadline_of(budget);
  EXPECT_LE(deadline, Clock::now() + std::chrono::hours(1));
  EXPECT_GT(deadline_of(budget), Clock::now());
  EXPECT_GT(deadline_of({}), Clock::now() + std::chrono::hours(24)) << "without a limit";
}

}  // namespace
}  // namespace mskb::agents
