#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "common/asking_process.hpp"
#include "common/chat.hpp"
#include "common/chat_options.hpp"
#include "common/exchange_chat.hpp"
#include "common/http.hpp"
#include "common/journal_chat.hpp"
#include "common/network_chat.hpp"
#include "common/replay_chat.hpp"
#include "common/spending.hpp"

namespace mskb::agents {

namespace {

ExchangeChat::Waiting waiting_of(const ChatOptions& options) {
  ExchangeChat::Waiting waiting;
  waiting.limit_s = options.number("wait_s");
  waiting.poll_s = options.number("poll_s").value_or(waiting.poll_s);
  waiting.settle_s = options.number("settle_s").value_or(waiting.settle_s);
  return waiting;
}

std::unique_ptr<Chat> make_exchange(const ChatOptions& options) {
  const std::string folder = options.text("exchange");
  if (folder.empty()) {
    throw std::invalid_argument("option provider=exchange needs option exchange=FOLDER");
  }
  return std::make_unique<ExchangeChat>(folder, waiting_of(options));
}

std::shared_ptr<Spending> spending_of(const ChatOptions& options) {
  const auto spending = std::make_shared<Spending>();
  spending->max_cost = options.number("max_cost");
  spending->max_tokens = options.number("max_tokens");
  return spending;
}

// A request that is under way is finished and journaled whatever becomes of this process; the next one waits for that.
std::unique_ptr<Chat> make_journaled_network(const ChatOptions& options, const std::string& journal) {
  return std::make_unique<AskingProcess>([=](const std::function<bool()>& wanted) {
    const auto spending = spending_of(options);
    const std::chrono::duration<double> patience(options.number("total_s").value_or(HttpLimits().total_s));
    return std::make_unique<JournalChat>(journal, make_network_chat(options, spending, wanted), spending, patience);
  });
}

}  // namespace

std::unique_ptr<Chat> make_chat(const std::map<std::string, std::string>& values) {
  const ChatOptions options(values);
  const std::string provider = options.text("provider"), journal = options.text("journal");
  if (provider == "replay") {
    const std::string transcript = options.text("transcript");
    if (transcript.empty()) {
      throw std::invalid_argument("option provider=replay needs option transcript=FILE");
    }
    return std::make_unique<ReplayChat>(transcript);
  }
  if (provider == "exchange") {
    auto chat = make_exchange(options);
    return journal.empty() ? std::move(chat) : std::make_unique<JournalChat>(journal, std::move(chat), nullptr);
  }
  return journal.empty() ? make_network_chat(options, spending_of(options)) : make_journaled_network(options, journal);
}

void check_chat(const std::map<std::string, std::string>& values) {
  const ChatOptions options(values);
  const std::string provider = options.text("provider"), journal = options.text("journal");
  if (provider == "replay") {
    make_chat(values);
    return;
  }
  if (provider == "exchange") {
    waiting_of(options);
    if (const std::filesystem::path folder = options.text("exchange"); std::filesystem::exists(folder) && !std::filesystem::is_directory(folder)) {
      throw std::invalid_argument("option exchange: " + folder.string() + ": is a file; name a folder in which requests and answers can lie");
    }
  } else {
    make_network_chat(options, spending_of(options));
  }
  if (!journal.empty() && std::filesystem::exists(journal)) {
    read_journal(journal);
  }
}

}  // namespace mskb::agents
