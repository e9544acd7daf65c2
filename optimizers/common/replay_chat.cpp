#include "common/replay_chat.hpp"

#include <algorithm>
#include <stdexcept>

namespace mskb::agents {

using nlohmann::json;

namespace {

std::string shown(const json& value) {
  constexpr std::size_t longest = 80;
  std::string text = one_line(value);
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

// Where two texts part: "line 3: recorded "a", now "b"".
std::string text_difference(const std::string& recorded, const std::string& now) {
  const auto [at, in_now] = std::mismatch(recorded.begin(), recorded.end(), now.begin(), now.end());
  const auto line = 1 + std::count(recorded.begin(), at, '\n');
  const std::size_t start = recorded.substr(0, static_cast<std::size_t>(at - recorded.begin())).rfind('\n') + 1;
  const auto line_from = [&](const std::string& text) {
    return shown(text.substr(std::min(start, text.size()), text.find('\n', start) - start));
  };
  return "line " + std::to_string(line) + ": recorded " + line_from(recorded) + ", now " + line_from(now);
}

std::string difference(const json& recorded, const json& now) {
  for (const char* name : {"model", "temperature", "max_output_tokens"}) {
    const json before = recorded.value(name, json()), after = now.value(name, json());
    if (before != after) {
      return std::string(name) + ": recorded " + shown(before) + ", now " + shown(after);
    }
  }
  const json before = recorded.value("messages", json::array()), after = now.value("messages", json::array());
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (before[i] == after[i]) {
      continue;
    }
    const std::string where = "message " + std::to_string(i + 1) + " (" + after[i].value("role", "") + ")";
    if (before[i].value("role", "") != after[i].value("role", "")) {
      return where + ": its role was " + shown(before[i].value("role", ""));
    }
    return where + ", " + text_difference(before[i].value("content", ""), after[i].value("content", ""));
  }
  return "recorded " + std::to_string(before.size()) + " messages, now " + std::to_string(after.size());
}

}  // namespace

ReplayChat::ReplayChat(std::filesystem::path transcript) : transcript_(std::move(transcript)) {
  for (RecordedAnswer& recorded : read_recorded_answers(transcript_)) {
    answers_[recorded.agent].push_back(std::move(recorded));
  }
  if (answers_.empty()) {
    throw std::invalid_argument(transcript_.string() + ": holds no answer of a language model; name another transcript");
  }
}

ChatAnswer ReplayChat::ask(const ChatRequest& request) {
  std::deque<RecordedAnswer>& left = answers_[request.agent];
  const int number = ++asked_[request.agent];
  const std::string who = "request " + std::to_string(number) + " of agent " + request.agent;
  if (left.empty()) {
    throw ChatFailed(transcript_.string() + ": " + who + " has no recorded answer (" + std::to_string(number - 1) +
                     " are there); record a new transcript");
  }
  // As it would be stored, so that what is not UTF-8 compares equal to its replacement.
  const json now = json::parse(one_line(request_json(request)));
  if (left.front().request != now) {
    throw ChatFailed(transcript_.string() + ":" + std::to_string(left.front().line) + ": " + who +
                     " differs from the recorded one: " + difference(left.front().request, now));
  }
  ChatAnswer answer = std::move(left.front().answer);
  left.pop_front();
  return answer;
}

}  // namespace mskb::agents
