#pragma once
#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>

#include "common/chat.hpp"
#include "common/recorded_answers.hpp"

namespace mskb::agents {

class Spending;

// Writes every answer to a file, on disk before it is returned, and answers what is already there from it: a program that was killed asks
// nothing twice that was answered. The file is a transcript that `replay` takes. One process per file.
class JournalChat : public Chat {
 public:
  // Answers from the file are charged to `spending`, which may be null. `patience`: how long to wait for a process that still writes the file.
  // Throws std::invalid_argument.
  JournalChat(std::filesystem::path file, std::unique_ptr<Chat> inner, std::shared_ptr<Spending> spending,
              std::chrono::duration<double> patience = {});
  ~JournalChat() override;
  ChatAnswer ask(const ChatRequest& request) override;

 private:
  void mend_end();
  void append(const ChatRequest& request, const ChatAnswer& answer);

  std::filesystem::path file_;
  std::unique_ptr<Chat> inner_;
  std::shared_ptr<Spending> spending_;
  std::map<std::string, std::deque<ChatAnswer>> answers_;  // by request hash, in the order in which they were given
  int descriptor_ = -1;
};

}  // namespace mskb::agents
