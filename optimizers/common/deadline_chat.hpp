#pragma once
#include <chrono>
#include <memory>

#include "common/chat.hpp"
#include "mskb/optimizer.hpp"

namespace mskb::agents {

// Nobody will wait for an answer any longer.
struct DeadlinePassed : ChatFailed {
  using ChatFailed::ChatFailed;
};

// Gives an answer up at a deadline, however the chat inside waits, so that an optimizer can still submit. A request
// given up goes on in a thread of its own until the process ends; nothing more can be asked then.
class DeadlineChat : public Chat {
 public:
  using Clock = std::chrono::steady_clock;
  DeadlineChat(std::shared_ptr<Chat> inner, Clock::time_point deadline)
      : inner_(std::move(inner)), deadline_(deadline) {}

  ChatAnswer ask(const ChatRequest& request) override;  // throws DeadlinePassed

 private:
  std::shared_ptr<Chat> inner_;
  Clock::time_point deadline_;
  bool given_up_ = false;
};

// When a session that starts now has spent its wall time.
DeadlineChat::Clock::time_point deadline_of(const optimizer::Budget& budget);

}  // namespace mskb::agents
