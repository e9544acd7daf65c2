#include "common/journal_chat.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "base/files.hpp"
#include "common/spending.hpp"

namespace mskb::agents {

JournalChat::JournalChat(std::filesystem::path file, std::unique_ptr<Chat> inner, std::shared_ptr<Spending> spending,
                         std::chrono::duration<double> patience)
    : file_(std::move(file)), inner_(std::move(inner)), spending_(std::move(spending)) {
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    throw std::invalid_argument("option journal: " + file_.string() + ": " + std::strerror(errno));
  }
  try {
    const auto until = std::chrono::steady_clock::now() + patience;
    bool locked = false;
    while (!(locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (!locked) {
      throw std::invalid_argument("option journal: " + file_.string() + ": another process is writing it; name a file for each");
    }
    // A kill may have left part of a line at the end.
    const std::string text = read_file(file_);
    const std::size_t whole = text.rfind('\n') + 1;
    if (whole < text.size() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
      throw std::invalid_argument("option journal: " + file_.string() + ": " + std::strerror(errno));
    }
    for (RecordedAnswer& recorded : read_recorded_answers(file_)) {
      answers_[request_hash(recorded.agent, recorded.request)].push_back(std::move(recorded.answer));
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

JournalChat::~JournalChat() { ::close(descriptor_); }

ChatAnswer JournalChat::ask(const ChatRequest& request) {
  std::deque<ChatAnswer>& given = answers_[request_hash(request)];
  if (!given.empty()) {
    ChatAnswer answer = std::move(given.front());
    given.pop_front();
    if (spending_) {
      spending_->charge_known(answer.usage);
    }
    return answer;
  }
  ChatAnswer answer = inner_->ask(request);
  append(request, answer);
  return answer;
}

void JournalChat::append(const ChatRequest& request, const ChatAnswer& answer) {
  const std::string line =
      one_line({{"agent", request.agent}, {"request", request_json(request)}, {"answer", answer_json(answer)}}) + "\n";
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0) {
      throw ChatFailed(file_.string() + ": cannot be written: " + std::strerror(errno));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(descriptor_) != 0) {
    throw ChatFailed(file_.string() + ": cannot be written: " + std::strerror(errno));
  }
}

}  // namespace mskb::agents
