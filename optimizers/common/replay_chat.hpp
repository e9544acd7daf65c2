#pragma once
#include <deque>
#include <filesystem>
#include <map>

#include "common/chat.hpp"
#include "common/recorded_answers.hpp"

namespace mskb::agents {

// Answers from a stored transcript, in order per agent. A request that differs from the recorded one, or one more than were recorded, is a
// ChatFailed that names line and place.
class ReplayChat : public Chat {
 public:
  explicit ReplayChat(std::filesystem::path transcript);  // throws std::invalid_argument
  ChatAnswer ask(const ChatRequest& request) override;

 private:
  std::filesystem::path transcript_;
  std::map<std::string, std::deque<RecordedAnswer>> answers_;
  std::map<std::string, int> asked_;
};

}  // namespace mskb::agents
