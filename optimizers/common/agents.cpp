#include "common/agents.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "common/chat_json.hpp"
#include "common/exchange_chat.hpp"

namespace mskb::agents {

namespace {

std::string text_option(const std::map<std::string, std::string>& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? "" : found->second;
}

template <class Number>
std::optional<Number> number_option(const std::map<std::string, std::string>& options, const std::string& name,
                                    Number least, Number most) {
  const std::string text = text_option(options, name);
  if (text.empty()) {
    return std::nullopt;
  }
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most)) {
    throw std::invalid_argument(fmt::format("option {}: '{}' is not a number from {} to {}", name, text, least, most));
  }
  return value;
}

}  // namespace

Manner manner_of(const std::map<std::string, std::string>& options) {
  const std::string unanswered = text_option(options, "unanswered");
  if (!unanswered.empty() && unanswered != "wait" && unanswered != "submit") {
    throw std::invalid_argument(fmt::format("option unanswered: '{}' is unknown; write wait or submit", unanswered));
  }
  return {text_option(options, "model"), number_option<double>(options, "temperature", 0, 2),
          whole_option(options, "max_output_tokens", 1, 10000000), unanswered != "submit"};
}

std::optional<int> whole_option(const std::map<std::string, std::string>& options, const std::string& name, int least,
                                int most) {
  return number_option<int>(options, name, least, most);
}

Agents::Agents(Chat& chat, optimizer::Harness& harness, const Prompts& prompts, Manner manner,
               const optimizer::Budget& budget)
    : chat_(chat), harness_(harness), prompts_(prompts), manner_(std::move(manner)), budget_(budget) {}

ChatAnswer Agents::ask(const std::string& agent, const std::map<std::string, std::string>& values) {
  if ((budget_.tokens && tokens_ >= *budget_.tokens) || (budget_.money && money_ >= *budget_.money)) {
    throw optimizer::Stopped("the session's tokens or money are spent");
  }
  ChatRequest request;
  request.agent = agent;
  request.model = manner_.model;
  request.temperature = manner_.temperature;
  request.max_output_tokens = manner_.max_output_tokens;
  request.messages = {{"system", prompts_.fill("system", values)}, {"user", prompts_.fill(agent, values)}};

  optimizer::Note note;
  note.role = agent;
  note.more["prompts"] = one_line(prompts_.version());
  note.more["request"] = one_line(request_json(request));
  ChatAnswer answer;
  try {
    answer = chat_.ask(request);
  } catch (const AnswerAwaited& awaited) {
    if (manner_.suspends) {
      throw optimizer::Suspended(awaited.what(), awaited.request_file);
    }
    throw;
  } catch (const ChatFailed& failed) {
    note.model = request.model;
    note.text = std::string("no answer: ") + failed.what();
    harness_.note(note);
    throw;
  }
  note.model = answer.model.empty() ? request.model : answer.model;
  note.input_tokens = answer.usage.input_tokens;
  note.output_tokens = answer.usage.output_tokens;
  note.cached_tokens = answer.usage.cached_tokens;
  note.cost = answer.usage.cost;
  note.more["answer"] = one_line(answer_json(answer));
  harness_.note(note);
  tokens_ += answer.usage.input_tokens.value_or(0) + answer.usage.output_tokens.value_or(0);
  money_ += answer.usage.cost.value_or(0);
  return answer;
}

void Agents::log(const std::string& text) {
  optimizer::Note note;
  note.role = "loop";
  note.text = text;
  harness_.note(note);
}

}  // namespace mskb::agents
