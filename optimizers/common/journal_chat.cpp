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
    for (RecordedAnswer& recorded : read_journal(file_)) {
      answers_[request_hash(recorded.agent, recorded.request)].push_back(std::move(recorded.answer));
    }
    mend_end();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

// A kill may have left part of a line at the end, or a whole one but for its newline.
void JournalChat::mend_end() {
  const std::string text = read_file(file_);
  const std::size_t last = text.rfind('\n') + 1;
  if (last == text.size()) {
    return;
  }
  const bool whole = nlohmann::json::accept(text.substr(last));
  if (whole ? ::write(descriptor_, "\n", 1) != 1 : ::ftruncate(descriptor_, static_cast<off_t>(last)) != 0) {
    throw std::invalid_argument("option journal: " + file_.string() + ": " + std::strerror(errno));
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
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      const std::string why = std::strerror(errno);
      const bool whole_lines = ::ftruncate(descriptor_, before) == 0;
      throw ChatFailed(file_.string() + ": cannot be written: " + why + (whole_lines ? "" : "; its last line is not whole"));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(descriptor_) != 0) {
    throw ChatFailed(file_.string() + ": cannot be written: " + std::strerror(errno));
  }
}

}  // namespace mskb::agents
