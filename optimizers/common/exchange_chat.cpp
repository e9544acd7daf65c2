#include "common/exchange_chat.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/errors.hpp"
#include "base/files.hpp"
#include "base/unique_fd.hpp"
#include "common/chat_json.hpp"

namespace mskb::agents {

namespace fs = std::filesystem;
using nlohmann::json;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::uintmax_t most_of_an_answer = 4 << 20;  // bytes; a line of the protocol holds 16 MiB, and text grows in it
constexpr std::string_view request_ending = ".request.json";

std::string file_word(const std::string& agent) {
  std::string word;
  for (const char c : agent) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    word.push_back(plain ? c : '_');
  }
  return word.empty() ? "agent" : word;
}

// What is there to read: the answer's file, with its size and time where it has them, or nothing.
struct Seen {
  fs::path file;
  std::uintmax_t size = 0;
  fs::file_time_type time{};
  bool operator==(const Seen&) const = default;
};

// One that is not empty before one that is.
Seen look_for_answer(const fs::path& base) {
  Seen first;
  for (const char* ending : {".answer.json", ".answer.md"}) {
    std::error_code absent, no_size, no_time;
    Seen seen{fs::path(base.string() + ending)};
    if (!fs::exists(fs::symlink_status(seen.file, absent))) {
      continue;
    }
    seen.size = fs::file_size(seen.file, no_size);
    seen.time = fs::last_write_time(seen.file, no_time);
    if (!no_size && seen.size > 0) {
      return seen;
    }
    if (first.file.empty()) {
      first = seen;
    }
  }
  return first;
}

// An answer that cannot be taken: file, fault and how to mend it. It may be corrected.
struct Faulty : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws Faulty.
ChatAnswer read_answer(const fs::path& file) {
  const auto fault = [&](const std::string& what) { return Faulty(file.string() + ": " + what); };
  std::string text;
  std::error_code error_of_size;
  const std::uintmax_t size = fs::file_size(file, error_of_size);
  if (!error_of_size && size > most_of_an_answer) {
    throw fault("is longer than 4 MiB; shorten it");
  }
  try {
    text = read_file(file);
  } catch (const InputError& error) {
    throw Faulty(error.what());
  }
  if (text.empty()) {
    throw fault("is empty; write the answer there");
  }
  if (file.extension() != ".json") {
    try {
      static_cast<void>(json(text).dump());  // strict: throws for what is not UTF-8
    } catch (const json::exception&) {
      throw fault("is not UTF-8; write it as such");
    }
    ChatAnswer answer;
    answer.text = std::move(text);
    return answer;
  }
  const json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) {
    throw fault("is not JSON in UTF-8; correct it, or remove it and give the text alone as .answer.md");
  }
  try {
    return answer_from_json(value);
  } catch (const std::invalid_argument& error) {
    throw fault(error.what());
  }
}

void pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

}  // namespace

ExchangeChat::ExchangeChat(fs::path folder, Waiting waiting) : folder_(std::move(folder)), waiting_(waiting) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error || ::access(folder_.c_str(), R_OK | W_OK | X_OK) != 0) {
    throw std::invalid_argument("option exchange: " + folder_.string() +
                                ": cannot be written; name a folder in which requests and answers can lie");
  }
}

ChatAnswer ExchangeChat::ask(const ChatRequest& request) {
  const fs::path base = folder_ / stem_of(request);
  const std::string request_file = base.string() + std::string(request_ending);
  const auto start = SteadyClock::now();
  const auto seconds_since = [](SteadyClock::time_point then) {
    return std::chrono::duration<double>(SteadyClock::now() - then).count();
  };
  Seen last;
  auto changed = start;
  std::string fault;  // of what lies there, unchanged since it was read
  for (;;) {
    const Seen seen = look_for_answer(base);
    if (seen != last) {
      last = seen;
      changed = SteadyClock::now();
      fault.clear();
    }
    if (!seen.file.empty() && fault.empty()) {
      // An answer from before this process, or one that nobody writes to any more.
      const double age = std::chrono::duration<double>(fs::file_time_type::clock::now() - seen.time).count();
      if (age < waiting_.settle_s && seconds_since(changed) < waiting_.settle_s) {
        pause(std::min(waiting_.poll_s, waiting_.settle_s));
        continue;
      }
      try {
        return read_answer(seen.file);
      } catch (const Faulty& error) {
        fault = error.what();
        std::cerr << fault << std::endl;  // into the session's log
      }
    }
    if (waiting_.limit_s && seconds_since(start) >= *waiting_.limit_s) {
      if (!fault.empty()) {
        throw AnswerAwaited(fault, request_file);
      }
      std::ostringstream text;
      text << request_file << ": no answer";
      if (*waiting_.limit_s > 0) {
        text << " within " << *waiting_.limit_s << " s";
      }
      text << "; write it as " << base.filename().string() << ".answer.md or .answer.json and start again";
      throw AnswerAwaited(text.str(), request_file);
    }
    pause(waiting_.limit_s ? std::min(waiting_.poll_s, *waiting_.limit_s) : waiting_.poll_s);
  }
}

std::string ExchangeChat::stem_of(const ChatRequest& request) {
  const std::string hash = request_hash(request);
  const UniqueFd lock(::open((folder_ / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock || ::flock(lock.get(), LOCK_EX) != 0) {
    throw ChatFailed(folder_.string() + ": cannot be locked: " + std::strerror(errno));
  }
  std::set<std::string> same;  // sorted by number, which has leading zeros
  long long highest = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(request_ending)) {
      continue;
    }
    long long number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);  // 0 where it is none, or too large
    highest = std::max(highest, number);
    std::string text;
    try {
      text = read_file(entry.path());
    } catch (const InputError&) {
      continue;  // removed meanwhile
    }
    const json written = json::parse(text, nullptr, false);
    if (written.is_object() && written.value("hash", json()) == json(hash)) {
      same.insert(name.substr(0, name.size() - request_ending.size()));
    }
  }
  std::set<std::string>& used = used_[hash];
  for (const std::string& stem : same) {
    if (used.insert(stem).second) {
      return stem;
    }
  }
  std::string number = std::to_string(highest + 1);
  number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
  const std::string stem = number + "-" + file_word(request.agent);
  write_request(stem, request, hash);
  used.insert(stem);
  return stem;
}

void ExchangeChat::write_request(const std::string& stem, const ChatRequest& request, const std::string& hash) const {
  std::ostringstream page;
  page << "# Request " << stem << "\n";
  for (const Message& message : request.messages) {
    page << "\n## " << message.role << "\n\n" << message.content << "\n";
  }
  page << "\n---\n\nFor who hands this over, not for the model: agent " << request.agent
       << (request.model.empty() ? "" : ", model " + request.model) << ". The answer goes to `" << stem
       << ".answer.md`, or to `" << stem << ".answer.json` with text, model, usage.\n";
  json file = request_json(request);
  file["agent"] = request.agent;
  file["hash"] = hash;
  try {
    write_file_atomically(folder_ / (stem + ".request.md"), page.str());
    write_file_atomically(folder_ / (stem + std::string(request_ending)),
                          file.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
  } catch (const HarnessError& error) {
    throw ChatFailed(error.what());
  }
}

}  // namespace mskb::agents
