#include "common/deadline_chat.hpp"

#include <algorithm>
#include <future>
#include <thread>

namespace mskb::agents {

ChatAnswer DeadlineChat::ask(const ChatRequest& request) {
  if (given_up_ || Clock::now() >= deadline_) {
    throw DeadlinePassed("the session's time is spent: " + request.agent + " was not asked");
  }
  auto promise = std::make_shared<std::promise<ChatAnswer>>();
  std::future<ChatAnswer> answer = promise->get_future();
  std::thread([promise, inner = inner_, request] {
    try {
      promise->set_value(inner->ask(request));
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  }).detach();
  if (answer.wait_until(deadline_) != std::future_status::ready) {
    given_up_ = true;
    throw DeadlinePassed("the session's time is spent: the answer of " + request.agent + " was not awaited");
  }
  return answer.get();
}

DeadlineChat::Clock::time_point deadline_of(const optimizer::Budget& budget) {
  constexpr double year_s = 3.15e7;
  const std::chrono::duration<double> left(std::min(budget.wall_s.value_or(year_s), year_s));
  return DeadlineChat::Clock::now() + std::chrono::duration_cast<DeadlineChat::Clock::duration>(left);
}

}  // namespace mskb::agents
