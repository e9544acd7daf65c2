#include <stdexcept>

#include "common/chat.hpp"
#include "common/chat_options.hpp"
#include "common/exchange_chat.hpp"
#include "common/journal_chat.hpp"
#include "common/network_chat.hpp"
#include "common/replay_chat.hpp"
#include "common/spending.hpp"

namespace mskb::agents {

std::unique_ptr<Chat> make_chat(const std::map<std::string, std::string>& values) {
  const ChatOptions options(values);
  const std::string provider = options.text("provider");
  if (provider == "replay") {
    const std::string transcript = options.text("transcript");
    if (transcript.empty()) {
      throw std::invalid_argument("option provider=replay needs option transcript=FILE");
    }
    return std::make_unique<ReplayChat>(transcript);
  }
  const auto spending = std::make_shared<Spending>();
  std::unique_ptr<Chat> chat;
  if (provider == "exchange") {
    const std::string folder = options.text("exchange");
    if (folder.empty()) {
      throw std::invalid_argument("option provider=exchange needs option exchange=FOLDER");
    }
    ExchangeChat::Waiting waiting;
    waiting.limit_s = options.number("wait_s");
    waiting.poll_s = options.number("poll_s").value_or(waiting.poll_s);
    waiting.settle_s = options.number("settle_s").value_or(waiting.settle_s);
    chat = std::make_unique<ExchangeChat>(folder, waiting);
  } else {
    spending->max_cost = options.number("max_cost");
    spending->max_tokens = options.number("max_tokens");
    chat = make_network_chat(options, spending);
  }
  if (const std::string journal = options.text("journal"); !journal.empty()) {
    chat = std::make_unique<JournalChat>(journal, std::move(chat), spending);
  }
  return chat;
}

}  // namespace mskb::agents
